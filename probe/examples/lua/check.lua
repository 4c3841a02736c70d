-- lua5.4 check.lua TABLE.dtb...     checks every byte of each file, derives every value again from the values
-- after its moves, and checks counts, longest wins and digest. For small tables: it takes all positions.

package.path = (arg[0]:match("^(.*)/") or ".") .. "/?.lua;" .. package.path
local dragnet, probe = require "dragnet", require "probe"

local function same(what, expected, found)
  if found == expected then return end
  error(("dragnet: %s: expected %s, found %s"):format(what, expected, found), 0)
end

-- Calls visit with each multiset of k numbers below n, in the order of ranks. The list is used again.
local function each_multiset(n, k, visit)
  local numbers = {}
  local function choose(left, highest)
    if left == 0 then return visit(numbers) end
    for number = 0, highest do
      numbers[left] = number
      choose(left - 1, number)
    end
  end
  choose(k, n - 1)
end

-- Calls visit(block, slots, largest code) for every block of the file: FORMAT.md §5.
local function each_block(t, visit)
  local teams, block = { 1 }, 0 -- how many teams each police tile has, in their order
  for _, kind in ipairs(t.kinds) do
    local longer = {}
    each_multiset(kind.tiles, kind.pieces, function(tiles)
      local spots = {}
      for j, tile in ipairs(tiles) do spots[j] = 256 * tile end
      local _, count = dragnet.rank_in_tile(kind, spots)
      for _, before in ipairs(teams) do longer[#longer + 1] = before * count end
    end)
    teams = longer
  end
  for _ = 1, t.worlds do
    for _, count in ipairs(teams) do
      for tile = 0, t.thief.tiles - 1 do
        visit(block, t.thief.tile_places[tile] * count, 1 << 31)
        block = block + 1
      end
    end
  end
  for _, section in ipairs(t.sections) do
    for start = 0, section.length - 1, 65536 do
      visit(block, math.min(65536, section.length - start), 255)
      block = block + 1
    end
  end
end

-- Checks every checksum, block and byte of the file.
local function check_blocks(t)
  local slots_of, entries, behind = {}, {}, 0
  each_block(t, function(number, slots, limit)
    local block, entry = t:block(number, slots, limit), t:entry(number)
    for slot = 0, slots - 1 do block.code(slot) end
    if entry >> 62 == 0 then return end
    if not slots_of[entry] then slots_of[entry], entries[#entries + 1] = slots, entry end
    same("slots of the extent of block " .. number, slots, slots_of[entry])
  end)
  for number = t.blocks, t.pages * 63 - 1 do same("unused index entry " .. number, 0, t:entry(number)) end
  table.sort(entries, function(a, b) return a & 0xFFFFFFFFFF < b & 0xFFFFFFFFFF end)
  for _, entry in ipairs(entries) do
    same("where an extent begins", behind, entry & 0xFFFFFFFFFF)
    behind = behind + (entry >> 40 & 0x3FFFFF)
  end
  same("bytes of data", behind, t.data_length)
end

-- Checks that every list that belongs to a place leads to places.
local function check_lists(t, kind)
  for world = 0, t.worlds - 1 do
    for place = 0, kind.count - 1 do
      t:piece_moves(kind, world, place)
      for _, difference in ipairs(kind.capture_lists and kind.capture_lists(world, place) or {}) do
        local there = t.thief.number[kind.square[place] + difference] ~= nil
        same(("%s, place %d of world %d, a place"):format(kind.captures.label, place, world), true, there)
      end
    end
  end
end

-- Calls visit with each position with a side to move.
local function each_position(t, side, visit)
  local officers = {}
  local function place_kind(k, world)
    local kind = t.kinds[k]
    if not kind then
      for thief = 0, t.thief.count - 1 do visit(t:position(officers, thief, side, world)) end
      return
    end
    each_multiset(kind.count, kind.pieces, function(places)
      table.move(places, 1, kind.pieces, kind.first, officers)
      place_kind(k + 1, world)
    end)
  end
  for world = 0, t.worlds - 1 do place_kind(1, world) end
end

local function splitmix64(x)
  x = x + 0x9E3779B97F4A7C15
  x = (x ~ x >> 30) * 0xBF58476D1CE4E5B9
  x = (x ~ x >> 27) * 0x94D049BB133111EB
  return x ~ x >> 31
end

-- Checks the counts of a side by its codes, and returns the longest win of each side.
local function check_counts(t, side, codes)
  local counts, longest = { police = 0, thief = 0, draw = 0 }, { police = 0, thief = 0 }
  for _, code in pairs(codes) do
    local winner, plies = t:outcome(code, side)
    counts[winner] = counts[winner] + 1
    if plies then longest[winner] = math.max(longest[winner], plies) end
  end
  for winner, count in pairs(counts) do
    same(side .. " to move, " .. winner, count, t.counts[side][winner])
  end
  return longest
end

local function check(path)
  local t = dragnet.open(path, probe.decompress)
  check_blocks(t)
  for _, kind in ipairs(t.kinds) do check_lists(t, kind) end
  check_lists(t, t.thief)
  t:source()
  local police, thief, digest, positions = {}, {}, 0, 0
  each_position(t, "police", function(p)
    local number, code = t:number(p), t:value(p)
    same("positions before number " .. number, nil, police[number])
    police[number], positions = code, positions + 1
    digest = digest + splitmix64(number + code * 0x9E3779B97F4A7C15)
  end)
  same("positions", positions, t.positions)
  each_position(t, "thief", function(p) thief[t:number(p)] = t:value(p) end)
  each_position(t, "police", function(p)
    if t:winner(p) then return end
    local codes = {}
    for i, after in ipairs(t:successors(p)) do codes[i] = thief[t:number(after)] end
    same("value of position " .. t:number(p), t:derive(codes), police[t:number(p)])
  end)
  local a, b = check_counts(t, "police", police), check_counts(t, "thief", thief)
  for _, side in ipairs { "police", "thief" } do
    same("longest win of the " .. side, math.max(a[side], b[side]), t.longest[side])
  end
  same("digest", ("%016x"):format(digest), ("%016x"):format(t.digest))
  return ("good: %d positions with each side to move, digest %016x"):format(positions, digest)
end

local bad = 0
for _, path in ipairs(arg) do
  local good, message = pcall(check, path)
  print(path:match("[^/]*$") .. ": " .. message)
  if not good then bad = bad + 1 end
end
os.exit(bad == 0)
