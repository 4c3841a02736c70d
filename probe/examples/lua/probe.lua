-- lua5.4 probe.lua TABLE.dtb                                          says what the table is
-- lua5.4 probe.lua TABLE.dtb OFFICERS THIEF police|thief [WORLD]      the value and the moves, best first
-- OFFICERS is ROW,COL+ROW,COL..., kind after kind, or "-" for none; THIEF is ROW,COL. Rows are those of the
-- grid: row r of layer l is l * rows + r. Blocks in Zstandard need the program `zstd`.

package.path = (arg[0]:match("^(.*)/") or ".") .. "/?.lua;" .. package.path
local dragnet = require "dragnet"

local probe = {}

function probe.decompress(bytes, size)
  local name = os.tmpname()
  local file = assert(io.open(name, "wb"))
  file:write(bytes)
  file:close()
  local pipe = assert(io.popen("zstd -dc < '" .. name .. "' 2> /dev/null", "r"))
  local content = pipe:read("a")
  local good = pipe:close()
  os.remove(name)
  return good and content or error("dragnet: zstd could not decompress a block of " .. size .. " bytes", 0)
end

local function describe(t)
  print(("%d worlds, a board of %d x %d, %d positions with each side to move"):format(t.worlds, t.rows,
    t.columns, t.positions))
  for _, kind in ipairs { t.thief, table.unpack(t.kinds) } do
    print(("%s %q: %d pieces, %d places, layers: %d"):format(kind.label, kind.name, kind.pieces, kind.count,
      #kind.layers))
  end
  for _, side in ipairs { "police", "thief" } do
    local counts = t.counts[side]
    print(("%s to move: the police wins %d, the thief %d, draws %d; longest win of the %s: %d plies"):format(
      side, counts.police, counts.thief, counts.draw, side, t.longest[side]))
  end
end

local function show(t, code, side)
  local winner, plies = t:outcome(code, side)
  return plies and ("%s wins in %d plies"):format(winner, plies) or "draw"
end

-- Returns what moved, as ROW,COL, and the world if it is another.
local function describe_move(t, names, before, after)
  local parts = {}
  if before.side == "thief" then
    parts[1] = ("%d,%d"):format(t:square("thief", after.thief))
  else
    for i, place in ipairs(after.officers) do parts[i] = ("%d,%d"):format(t:square(names[i], place)) end
  end
  return table.concat(parts, "+") .. (after.world == before.world and "" or " in world " .. after.world)
end

local function answer(t, officers, thief, side, world)
  local names, places = {}, {} -- the number of the kind of each officer, and the place
  for i, kind in ipairs(t.kinds) do
    for _ = 1, kind.pieces do names[#names + 1] = i end
  end
  local function square(text)
    local row, column = text:match("^(%d+),(%d+)$")
    if not row then error("dragnet: expected ROW,COLUMN, found " .. text, 0) end
    return tonumber(row), tonumber(column)
  end
  for text in (officers == "-" and "" or officers):gmatch("[^+]+") do
    if #places == #names then error("dragnet: expected " .. #names .. " officers, found more", 0) end
    places[#places + 1] = t:place(names[#places + 1], square(text))
  end
  local p = t:position(places, t:place("thief", square(thief)), side, world)
  local code = t:value(p)
  print(("%s to move: %s%s"):format(side, show(t, code, side), t:winner(p) and " (terminal)" or ""))
  for _, move in ipairs(t:moves(p)) do
    print(("  %-16s %s"):format(describe_move(t, names, p, move.position), show(t, move.code,
      move.position.side)))
  end
end

local function main()
  if #arg ~= 1 and #arg ~= 4 and #arg ~= 5 then
    error("usage: probe.lua TABLE.dtb [OFFICERS THIEF police|thief [WORLD]]", 0)
  end
  local t = dragnet.open(arg[1], probe.decompress)
  if #arg == 1 then return describe(t) end
  answer(t, arg[2], arg[3], arg[4], math.tointeger(tonumber(arg[5] or 0)) or -1)
end

if arg[0]:match("probe%.lua$") then
  local good, message = pcall(main)
  if not good then
    io.stderr:write(message, "\n")
    os.exit(1)
  end
end

return probe
