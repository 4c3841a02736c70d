-- Reads Dragnet's pursuit tables of values (*.dtb, version 2) in plain Lua 5.4. Comments name the sections of
-- formats/FORMAT.md, which describes the file.
--
--   local dragnet = require "dragnet"
--   local t = dragnet.open("yard.dtb")                     -- or dragnet.new(read, size)
--   local p = t:position({ t:place(1, 7, 1) }, t:place("thief", 5, 10), "police")
--   local winner, plies = t:outcome(t:value(p), p.side)
--   for _, move in ipairs(t:moves(p)) do ... end           -- move.position, move.code; the best move first
--
-- A place is the number of a square on which a kind of pieces may stand, from 0. A position is a table of
-- officers (their places, kind after kind, rising within a kind), thief (a place), side (to move) and world.
-- Whatever is wrong with a file or a question is a Lua error: a string that begins with "dragnet: ".

local dragnet, Table = {}, {}
Table.__index = Table

local byte, pack, unpack = string.byte, string.pack, string.unpack
local PAGE, ENTRIES, PIECE = 512, 63, 65536 -- bytes of a page, its entries, bytes of a piece of a section
local LARGEST = 1 << 31                     -- the largest code of a value, "won in 2^30 - 1 plies"
local LIMITS = { differences = 1 << 20, moves = 1 << 16, values = 1 << 19, bytes = 1 << 23 } -- §10

-- Errors

local function fail(where, expected, found)
  error(("dragnet: %s: expected %s, found %s"):format(where, expected, found), 0)
end

local function same(where, found, expected)
  if found ~= expected then fail(where, expected, found) end
end

local function range(where, found, low, high)
  if found < low or found > high then fail(where, low .. " to " .. high, found) end
  return found
end

-- Adds to what a question has cost; `work` is nil where nothing is counted.
local function spend(work, what, amount)
  if not work then return end
  work[what] = (work[what] or 0) + amount
  if work[what] > LIMITS[what] then fail("question", "at most " .. LIMITS[what] .. " " .. what, "more") end
end

-- Numbers

local CRC = {}
for i = 0, 255 do
  local c = i
  for _ = 1, 8 do c = c & 1 == 1 and c >> 1 ~ 0xEDB88320 or c >> 1 end
  CRC[i] = c
end

local function crc32(...)
  local crc = 0xFFFFFFFF
  for _, text in ipairs { ... } do
    for i = 1, #text do crc = CRC[(crc ~ byte(text, i)) & 255] ~ crc >> 8 end
  end
  return crc ~ 0xFFFFFFFF
end

-- The product of counts, at most 2^60, so that nothing wraps.
local function product(where, a, b)
  if a > 0 and b > (1 << 60) // a then fail(where, "at most 2^60", "more") end
  return a * b
end

-- How many multisets of k numbers below n there are.
local function multisets(where, n, k)
  local count = 1
  for i = 1, k do count = product(where, count, n + i - 1) // i end
  return count
end

-- The rank of a multiset of numbers, given in rising order: §7.
local function rank(numbers)
  local sum = 0
  for j, x in ipairs(numbers) do sum = sum + multisets("rank", x, j) end
  return sum
end

-- Returns the LEB128 number at a byte of a text, and the byte behind it: §6.
local function leb128(where, text, at)
  local value = 0
  for shift = 0, 28, 7 do
    local b = byte(text, at) or fail(where, "more bytes", "the end")
    value, at = value | (b & 127) << shift, at + 1
    if b < 128 then return range(where, value, 0, (1 << 32) - 1), at end
  end
  fail(where, "a number of at most 5 bytes", "a longer one")
end

local function check_zeros(where, text)
  if text:find("[^\0]") then fail(where, "zeros", "other bytes") end
end

local function bit(text, number) return byte(text, (number >> 3) + 1) >> (number & 7) & 1 end

-- Checks that a text is a bit for each of `count` things, its unused bits 0.
local function check_bits(where, text, count)
  same(where .. ", bytes", #text, (count + 7) // 8)
  if count % 8 > 0 then same(where .. ", unused bits", byte(text, -1) >> count % 8, 0) end
end

-- Keeps the last `size` things that were made, by their names.
local function cache(size)
  local things, names, next_name = {}, {}, 1
  return function(name, make)
    if not things[name] then
      local thing = make()
      if names[next_name] then things[names[next_name]] = nil end
      things[name], names[next_name], next_name = thing, name, next_name % size + 1
    end
    return things[name]
  end
end

-- Header: §3

local function header_reader(text)
  local at, r = 1, {}
  function r.number(where, size, low, high)
    if at + size - 1 > #text then fail("header, " .. where, "more bytes", "the end") end
    local value
    value, at = unpack("<I" .. size, text, at)
    return low and range("header, " .. where, value, low, high) or value
  end
  function r.bytes(where, most)
    local length = r.number(where .. ", length", 8, 0, math.min(most, #text - at - 7))
    at = at + length
    return text:sub(at - length, at - 1)
  end
  function r.name(where)
    local name = r.bytes(where, 255)
    local good = utf8.len(name) and not name:find("[\0-\31\127]") and not name:find("\xC2[\x80-\x9F]")
    return good and name or fail("header, " .. where, "UTF-8 without control characters", "other bytes")
  end
  function r.finish() same("header, bytes used", at - 1, #text) end
  return r
end

-- Fills in square[place] and number[square], both from 0.
local function number_places(kind)
  check_bits("header, places", kind.bits, kind.squares)
  kind.square, kind.number, kind.count = {}, {}, 0
  for square = 0, kind.squares - 1 do
    if bit(kind.bits, square) == 1 then
      kind.square[kind.count], kind.number[square], kind.count = square, kind.count, kind.count + 1
    end
  end
  range("header, places", kind.count, 1, kind.squares)
end

-- Fills in spot[place] = 256 * tile + rank in the tile, and tile_places[tile]: §5.
local function number_tiles(kind, columns)
  local across, tiles, places_of = (columns + kind.tile_columns - 1) // kind.tile_columns, {}, {}
  for place = 0, kind.count - 1 do
    local row, column = kind.square[place] // columns, kind.square[place] % columns
    local tile = row // kind.tile_rows * across + column // kind.tile_columns
    if not places_of[tile] then places_of[tile], tiles[#tiles + 1] = {}, tile end
    table.insert(places_of[tile], place)
  end
  table.sort(tiles)
  kind.tiles, kind.spot, kind.tile_places = #tiles, {}, {}
  for i, tile in ipairs(tiles) do
    kind.tile_places[i - 1] = #places_of[tile]
    for j, place in ipairs(places_of[tile]) do kind.spot[place] = 256 * (i - 1) + j - 1 end
  end
end

local function read_kind(r, t, label)
  local thief, first = label == "thief", t.kinds[1]
  local kind = { label = label, name = r.name("name"), layers = {} } -- label is for messages
  kind.pieces = r.number("pieces", 1, 1, thief and 1 or 6)
  for i = 1, r.number("layers", 8, 1, 256) do kind.layers[i] = r.name("layer") end
  kind.rows = range("header, rows of the grid", #kind.layers * t.rows, 1, 65535)
  kind.squares = kind.rows * t.columns
  range("header, worlds * squares of a grid", t.worlds * kind.squares, 1, 1 << 22)
  kind.bits = r.bytes("places", 1 << 20)
  if kind.bits == "" and first then
    same("header, rows of the grid of a kind with the first one's places", kind.rows, first.rows)
    kind.bits = first.bits
  end
  number_places(kind)
  kind.tile_rows, kind.tile_columns = r.number("tile rows", 1, 1, 255), r.number("tile columns", 1, 1, 255)
  kind.tile_squares = range("header, squares of a tile", kind.tile_rows * kind.tile_columns, 1, 256)
  number_tiles(kind, t.columns)
  for i, what in ipairs { "moves", "captures", "ends" } do
    local length = r.number("bytes of " .. what, 4, i == 1 and 1 or 0, thief and i == 2 and 0 or 1 << 25)
    kind[what] = { length = length, label = label .. ", " .. what }
    table.insert(t.sections, kind[what])
  end
  return kind
end

-- Counts teams, police tiles and positions; kind_of[i] is the kind of officer i.
local function count_positions(t)
  t.teams, t.police_tiles, t.kind_of = 1, 1, {}
  local slots, rows = t.thief.tile_squares, 0
  for _, kind in ipairs(t.kinds) do
    rows = rows + kind.rows
    kind.first = #t.kind_of + 1 -- the number of its first officer
    for _ = 1, kind.pieces do
      table.insert(t.kind_of, kind)
      slots = range("header, squares of tiles of all pieces", slots * kind.tile_squares, 1, 65536)
    end
    kind.teams = multisets("header, teams", kind.count, kind.pieces)
    kind.team_tiles = multisets("header, police tiles", kind.tiles, kind.pieces)
    t.teams = product("header, teams", t.teams, kind.teams)
    t.police_tiles = product("header, police tiles", t.police_tiles, kind.team_tiles)
  end
  range("header, officers", #t.kind_of, 0, 6)
  range("header, rows of the grids of all officers", rows, 0, 65535)
  t.positions = product("header, positions", t.worlds * t.thief.count, t.teams)
  t.blocks = t.worlds * t.police_tiles * t.thief.tiles -- sections will add theirs
end

local function read_header(t, text)
  local r = header_reader(text)
  if r.number("kind of table", 4, 0, 1) == 1 then fail("table", "a pursuit table", "a game table") end
  if r.number("keeps", 4, 0, 3) > 0 then fail("table", "a table of values", "a partial table") end
  t.worlds = r.number("worlds", 4, 1, 4096)
  t.rows, t.columns = r.number("rows", 2, 1, 65535), r.number("columns", 2, 1, 65535)
  range("header, squares of the board", t.rows * t.columns, 1, 1 << 20)
  for i = 1, r.number("kinds", 8, 0, 6) do t.kinds[i] = read_kind(r, t, "officers of kind " .. i) end
  t.thief = read_kind(r, t, "thief")
  count_positions(t)
  t.turn, t.stuck = r.number("turn", 4, 0, 1), r.number("stuck", 4, 0, 1)
  t.undecided = ({ "neither", "police", "thief" })[r.number("undecided", 4, 0, 2) + 1]
  for _, side in ipairs { "police", "thief" } do
    local counts = {}
    for _, winner in ipairs { "police", "thief", "draw" } do
      counts[winner] = r.number("positions", 8, 0, t.positions)
    end
    local sum = counts.police + counts.thief + counts.draw
    same("header, positions with the " .. side .. " to move", sum, t.positions)
    t.counts[side] = counts
  end
  for _, side in ipairs { "police", "thief" } do
    t.longest[side] = r.number("longest win", 4, 0, (1 << 30) - 1)
  end
  t.digest = r.number("digest", 8)
  t.source_text = { length = r.number("bytes of the source", 4, 0, 1 << 22), label = "source" }
  t.points = { length = r.number("bytes of points", 4, 0, 1 << 23), label = "points" }
  if t.points.length > 0 then same("header, bytes of points", t.points.length, 8 * t.rows * t.columns) end
  r.finish()
  for _, section in ipairs { t.source_text, t.points } do table.insert(t.sections, section) end
  for _, section in ipairs(t.sections) do
    section.first = t.blocks
    t.blocks = t.blocks + (section.length + PIECE - 1) // PIECE
  end
end

-- Index and blocks: §5 and §6

-- Returns the index entry of a block.
function Table:entry(number)
  local page_number = number // ENTRIES
  local page = self.page_cache(page_number, function()
    local where, text = "index page " .. page_number, self.read(self.index_at + PAGE * page_number, PAGE)
    local crc = crc32(pack("<I4I8", self.seed, page_number), text:sub(1, 504))
    same(where .. ", checksum", unpack("<I4", text, 505), crc)
    check_zeros(where .. ", last four bytes", text:sub(509))
    return text
  end)
  return unpack("<I8", page, 8 * (number % ENTRIES) + 1)
end

-- Returns a block: `cost` are the bytes that it counts, index(slot) is a number in its palette.
local function palette_block(where, cost, palette, index)
  return { cost = cost, code = function(slot)
    return palette[index(slot)] or fail(where .. ", index", "one of a code", index(slot))
  end }
end

-- Reads a palette of n codes from a byte on, with next_code(at, last) -> code, at.
local function read_palette(where, n, at, limit, next_code)
  local palette, last, code = {}, -1, nil
  for i = 0, n - 1 do
    code, at = next_code(at, last)
    palette[i], last = range(where .. ", palette", code, last + 1, limit), code
  end
  return palette, at
end

local function packed_block(where, body, slots, limit)
  if #body < 4 then fail(where .. ", bytes", "at least 4", #body) end
  local width, size, n = unpack("<BBI2", body)
  range(where .. ", bits of an index", width, 1, 16)
  if size ~= 2 and size ~= 4 then fail(where .. ", bytes of a code", "2 or 4", size) end
  n = range(where .. ", codes", n + 1, 2, 65536)
  local start, bits = 5 + size * n, width * slots
  same(where .. ", bytes", #body, start - 1 + (bits + 7) // 8 + 3)
  check_zeros(where .. ", last bytes", body:sub(-3))
  if bits % 8 > 0 then same(where .. ", unused bits", byte(body, -4) >> bits % 8, 0) end
  local palette = read_palette(where, n, 5, limit, function(at) return unpack("<I" .. size, body, at) end)
  return palette_block(where, slots, palette, function(slot)
    local first = width * slot
    return unpack("<I4", body, start + (first >> 3)) >> (first & 7) & (1 << width) - 1
  end)
end

-- Returns the content size of a Zstandard frame, and the number of its blocks: RFC 8878, section 3.1.1.
local function read_frame(where, frame)
  local at = 1
  local function number(size)
    if at + size - 1 > #frame then fail(where, "more bytes", "the end") end
    at = at + size
    return (unpack("<I" .. size, frame, at - size))
  end
  same(where .. ", magic", number(4), 0xFD2FB528)
  local flags = number(1)
  same(where .. ", dictionary, checksum and reserved bit", flags & 0x0F, 0)
  local single, size_flag = flags & 0x20 ~= 0, flags >> 6
  if not single then
    local window = number(1)
    local base = 1 << 10 + (window >> 3)
    range(where .. ", window", base + base // 8 * (window & 7), 1, 1 << 20)
    if size_flag == 0 then fail(where, "a content size", "none") end
  end
  local size = number(1 << size_flag) + (size_flag == 1 and 256 or 0)
  local blocks, head = 0, nil
  repeat
    head = number(3)
    local kind = range(where .. ", type of a block", head >> 1 & 3, 0, 2)
    blocks, at = blocks + 1, at + (kind == 1 and 1 or head >> 3)
  until head & 1 == 1
  same(where .. ", bytes", #frame, at - 1)
  return size, blocks
end

local function zstd_block(where, frame, slots, limit, decompress)
  local size, blocks = read_frame(where .. ", Zstandard frame", frame)
  range(where .. ", bytes of content", size, 0, 5 + 7 * slots)
  if not decompress then fail(where, "no Zstandard, or a function decompress(bytes, size)", "neither") end
  local content = decompress(frame, size)
  same(where .. ", type of what was decompressed", type(content), "string")
  same(where .. ", bytes decompressed", #content, size)
  local n, at = leb128(where, content, 1)
  range(where .. ", codes", n, 2, slots)
  local palette, start = read_palette(where, n, at, limit, function(from, last)
    local difference, behind = leb128(where, content, from)
    return math.max(last, 0) + difference, behind
  end)
  same(where .. ", bytes of content", size, start - 1 + (n > 256 and 2 or 1) * slots)
  return palette_block(where, math.max(size, slots) + 1024 * blocks, palette, function(slot)
    local low = byte(content, start + slot)
    return n > 256 and low | byte(content, start + slots + slot) << 8 or low
  end)
end

local function read_block(t, number, slots, limit)
  local where, entry = "block " .. number, t:entry(number)
  local kind, length, offset = entry >> 62, entry >> 40 & 0x3FFFFF, entry & 0xFFFFFFFFFF
  if kind == 0 then
    range(where .. ", constant code", entry, 0, limit)
    return { cost = 0, code = function() return entry end }
  end
  range(where .. ", kind", kind, 0, 2)
  range(where .. ", length in bytes", length, 5, t.data_length - offset)
  local extent = t.read(t.data_at + offset, length)
  local body = extent:sub(5)
  same(where .. ", checksum", unpack("<I4", extent), crc32(pack("<I4I8", t.seed, offset), body))
  if kind == 1 then return packed_block(where, body, slots, limit) end
  return zstd_block(where, body, slots, limit, t.decompress)
end

-- Returns a block, of so many slots and codes up to `limit`, that is read or remembered.
function Table:block(number, slots, limit, work)
  local block = self.block_cache(number, function() return read_block(self, number, slots, limit) end)
  if work and block.work ~= work then -- counts again if it was dropped after others
    spend(work, "bytes", block.cost)
    block.work = work
  end
  return block
end

-- Sections: §4

-- Returns the bytes of a section.
local function read_section(t, section)
  local parts, number = {}, section.first
  for start = 0, section.length - 1, PIECE do
    local slots = math.min(PIECE, section.length - start)
    local block = t:block(number, slots, 255)
    for slot = 0, slots - 1 do parts[#parts + 1] = string.char(block.code(slot)) end
    number = number + 1
  end
  return table.concat(parts)
end

-- Returns of(world, place) -> the list of differences there.
local function read_lists(t, section, count)
  local where, text = section.label, read_section(t, section)
  local lists, total, n, at = {}, 0, leb128(where, text, 1)
  range(where .. ", lists", n, 1, 65536)
  for i = 0, n - 1 do
    local list, length, number = {}, nil, nil
    length, at = leb128(where, text, at)
    total = range(where .. ", differences", total + length, 0, 1 << 22)
    for j = 1, length do
      number, at = leb128(where, text, at)
      local difference = number % 2 == 0 and number // 2 or -(number + 1) // 2
      if j > 1 then difference = list[j - 1] + 1 + number end
      list[j] = range(where .. ", difference", difference, 1 - (1 << 31), (1 << 31) - 1)
    end
    lists[i] = list
  end
  local all = t.worlds * count
  same(where .. ", bytes", #text, at - 1 + (n > 256 and 2 or 1) * all)
  return function(world, place)
    local i = at + world * count + place
    local number = n > 256 and byte(text, i) | byte(text, i + all) << 8 or byte(text, i)
    return lists[number] or fail(where .. ", number of a list", "below " .. n, number)
  end
end

-- Fills in what a kind can do: lists of moves and captures, and is_end(world, place). Without a list of
-- captures an officer captures on the officer's own square.
local function read_game(t, kind)
  kind.move_lists = read_lists(t, kind.moves, kind.count)
  if kind.captures.length > 0 then
    kind.capture_lists = read_lists(t, kind.captures, kind.count)
  elseif kind ~= t.thief then
    local alike = kind.bits == t.thief.bits and kind.rows == t.thief.rows
    same(kind.captures.label .. " on the same square, places of both alike", alike, true)
  end
  local ends = read_section(t, kind.ends)
  if ends ~= "" then check_bits(kind.ends.label, ends, t.worlds * kind.count) end
  function kind.is_end(world, place) return ends ~= "" and bit(ends, world * kind.count + place) == 1 end
end

-- Returns the text from which the game was made.
function Table:source()
  local text = read_section(self, self.source_text)
  return utf8.len(text) and text or fail("source", "UTF-8", "other bytes")
end

-- Returns where a square of the board is drawn, right and down; nothing if the table does not say.
function Table:point(row, column)
  if self.points.length == 0 then return end
  self.points.text = self.points.text or read_section(self, self.points)
  return unpack("<i4i4", self.points.text, 8 * (row * self.columns + column) + 1)
end

-- Opening: §2

-- Opens the table of `size` bytes of which read(offset, length) gives some. decompress(bytes, size) gives the
-- content of a Zstandard frame; only tables that have such blocks need it.
function dragnet.new(read, size, decompress)
  local t = setmetatable({ kinds = {}, sections = {}, counts = {}, longest = {} }, Table)
  t.decompress = decompress
  function t.read(offset, length)
    local text = length == 0 and "" or read(offset, length)
    same("file, bytes from " .. offset .. " on", text and #text or 0, length)
    return text
  end
  if size < 28 then fail("file, bytes", "at least 28", size) end
  local start = t.read(0, 28)
  if start:sub(1, 8) ~= "\x89DTB\r\n\x1A\n" then fail("file", "a Dragnet table", "another magic") end
  local version, zero, header_length, data_length, crc = unpack("<I2I2I4I8I4", start, 9)
  same("file, version", version, 2)
  same("file, bytes 10 and 11", zero, 0)
  range("file, header length", header_length, 0, 1 << 20)
  local header = t.read(28, header_length)
  same("header, checksum", crc32(start:sub(1, 24), header), crc)
  t.seed, t.data_length = crc32(header), data_length
  read_header(t, header)
  t.index_at = (28 + header_length + PAGE - 1) // PAGE * PAGE
  t.pages = (t.blocks + ENTRIES - 1) // ENTRIES
  t.data_at = t.index_at + PAGE * t.pages
  same("file, data length", data_length, size - t.data_at)
  check_zeros("file, between header and index", t.read(28 + header_length, t.index_at - 28 - header_length))
  t.page_cache, t.block_cache = cache(1024), cache(32)
  for _, kind in ipairs(t.kinds) do read_game(t, kind) end
  read_game(t, t.thief)
  return t
end

-- Opens the table in a file.
function dragnet.open(path, decompress)
  local file, message = io.open(path, "rb")
  if not file then fail(path, "a file", message) end
  return dragnet.new(function(offset, length)
    file:seek("set", offset)
    return file:read(length)
  end, file:seek("end"), decompress)
end

-- Positions

local function kind_named(t, name)
  return name == "thief" and t.thief or t.kinds[name] or fail("kind", "thief or 1 to " .. #t.kinds, name)
end

-- Returns the place of a kind ("thief", or the number of a kind of officers) at a row and column of its grid.
function Table:place(name, row, column)
  local kind = kind_named(self, name)
  local inside = row >= 0 and row < kind.rows and column >= 0 and column < self.columns
  return inside and kind.number[row * self.columns + column]
    or fail("square " .. row .. "," .. column, "a place of the " .. kind.label, "none")
end

-- Returns the row of its grid and the column of a place.
function Table:square(name, place)
  local square = kind_named(self, name).square[place]
  return square // self.columns, square % self.columns
end

-- Returns what numbers[place] is for the places of the officers of a kind, rising; or the places themselves.
local function team_of(kind, officers, numbers)
  local team = table.move(officers, kind.first, kind.first + kind.pieces - 1, 1, {})
  for j, place in ipairs(numbers and team or {}) do team[j] = numbers[place] end
  table.sort(team)
  return team
end

-- Returns the position; `world` is 0 if it is left out.
function Table:position(officers, thief, side, world)
  world = range("world", world or 0, 0, self.worlds - 1)
  same("officers", #officers, #self.kind_of)
  for i, place in ipairs(officers) do range("place of officer " .. i, place, 0, self.kind_of[i].count - 1) end
  range("place of the thief", thief, 0, self.thief.count - 1)
  if side ~= "police" and side ~= "thief" then fail("side to move", "police or thief", side) end
  local sorted = {}
  for _, kind in ipairs(self.kinds) do
    table.move(team_of(kind, officers), 1, kind.pieces, kind.first, sorted)
  end
  return { officers = sorted, thief = thief, side = side, world = world }
end

-- Returns the number of a position, whichever side is to move: §8.
function Table:number(p)
  local number, radix = 0, 1
  for _, kind in ipairs(self.kinds) do
    number, radix = number + radix * rank(team_of(kind, p.officers)), radix * kind.teams
  end
  return (p.world * self.teams + number) * self.thief.count + p.thief
end

-- Returns the rank of a team of one kind in its tile, and how many teams the tile has; `spots` are those of
-- the officers, rising: §7.
function dragnet.rank_in_tile(kind, spots)
  local inner, radix, run = 0, 1, {}
  for j, spot in ipairs(spots) do
    local tile = spot // 256
    run[#run + 1] = spot % 256
    if j == #spots or spots[j + 1] // 256 ~= tile then -- the last officer in this tile
      inner = inner + radix * rank(run)
      radix, run = radix * multisets("teams of a tile", kind.tile_places[tile], #run), {}
    end
  end
  return inner, radix
end

-- Returns the code that is stored for a position with the police to move: §5.
local function look_up(t, p, work)
  spend(work, "values", 1)
  local tile, tiles, inner, teams = 0, 1, 0, 1
  for _, kind in ipairs(t.kinds) do
    local spots, of = team_of(kind, p.officers, kind.spot), {}
    for j, spot in ipairs(spots) do of[j] = spot // 256 end
    local kind_inner, radix = dragnet.rank_in_tile(kind, spots)
    tile, tiles = tile + tiles * rank(of), tiles * kind.team_tiles
    inner, teams = inner + teams * kind_inner, teams * radix
  end
  local spot = t.thief.spot[p.thief]
  local block = (p.world * t.police_tiles + tile) * t.thief.tiles + spot // 256
  local slots = t.thief.tile_places[spot // 256] * teams
  return t:block(block, slots, LARGEST, work).code(spot % 256 * teams + inner)
end

local function captures(t, kind, world, place, thief)
  if not kind.capture_lists then return place == thief end
  local wanted = t.thief.square[thief] - kind.square[place]
  for _, difference in ipairs(kind.capture_lists(world, place)) do
    if difference == wanted then return true end
  end
  return false
end

-- Returns the side that has won a terminal position; nothing if it is not terminal: §1.
function Table:winner(p)
  for i, place in ipairs(p.officers) do
    if captures(self, self.kind_of[i], p.world, place, p.thief) then return "police" end
  end
  if self.thief.is_end(p.world, p.thief) then return "thief" end
  for i, place in ipairs(p.officers) do
    if self.kind_of[i].is_end(p.world, place) then return "police" end
  end
end

-- Returns the moves of a piece: worlds and places.
function Table:piece_moves(kind, world, place, work)
  local list, moves = kind.move_lists(world, place), {}
  spend(work, "differences", #list)
  for i, difference in ipairs(list) do
    local target = world * kind.squares + kind.square[place] + difference
    local to = { world = target // kind.squares, place = kind.number[target % kind.squares] }
    if not to.place or to.world < 0 or to.world >= self.worlds then
      fail(kind.moves.label .. " from place " .. place .. " of world " .. world, "a place", "none")
    end
    moves[i] = to
  end
  return moves
end

-- Calls add(officers, world) with each turn of the police.
local function police_turns(t, p, work, add)
  local moves, officers = {}, table.move(p.officers, 1, #p.officers, 1, {})
  for i, place in ipairs(officers) do moves[i] = t:piece_moves(t.kind_of[i], p.world, place, work) end
  if t.turn == 1 then -- one officer moves
    for i, place in ipairs(p.officers) do
      for _, move in ipairs(moves[i]) do
        officers[i] = move.place
        add(officers, move.world)
      end
      officers[i] = place
    end
    return
  end
  for _, list in ipairs(moves) do
    if #list == 0 then return end
  end
  local function move_from(i, world)
    if i > #officers then return add(officers, world) end
    for _, move in ipairs(moves[i]) do
      if i > 1 then same("moves of one turn, world", move.world, world) end
      officers[i] = move.place
      move_from(i + 1, move.world)
    end
  end
  move_from(1, p.world)
end

-- Returns the positions after each move, each once, though officers who change places may lead to it in
-- several ways. A terminal position has none.
function Table:successors(p, work)
  if self:winner(p) then return {} end
  local seen, list = {}, {}
  local function add(officers, thief, side, world)
    spend(work, "moves", 1)
    local after = self:position(officers, thief, side, world)
    local number = self:number(after)
    if not seen[number] then seen[number], list[#list + 1] = true, after end
  end
  if p.side == "police" then
    police_turns(self, p, work, function(officers, world) add(officers, p.thief, "thief", world) end)
  else
    for _, move in ipairs(self:piece_moves(self.thief, p.world, p.thief, work)) do
      add(p.officers, move.place, "police", move.world)
    end
  end
  return list
end

-- Values: §1

-- Returns how much a side likes to leave the other one with a code; more is better. The other side lost soon,
-- a draw, the other side won late.
local function liking(code)
  if code == 0 then return 0 end
  return code % 2 == 1 and LARGEST + 1 - code or code - LARGEST - 1
end

-- Returns the value of a position from the codes after its moves.
function Table:derive(codes)
  if #codes == 0 then return self.stuck == 0 and 1 or 2 end
  local best = codes[1]
  for _, code in ipairs(codes) do if liking(code) > liking(best) then best = code end end
  return best == 0 and 0 or range("value derived, code", best + (best % 2 == 1 and 3 or 1), 1, LARGEST)
end

local function value(t, p, work)
  local winner = t:winner(p)
  if winner then return winner == p.side and 2 or 1 end
  if p.side == "police" then return look_up(t, p, work) end
  local codes = {}
  for i, after in ipairs(t:successors(p, work)) do codes[i] = value(t, after, work) end
  return t:derive(codes)
end

-- Returns the code of a position, seen by the side to move: 0 draw, 1 + 2d lost, 2 + 2d won in d plies.
function Table:value(p) return value(self, p, {}) end

-- Returns the side that wins with a code ("police", "thief" or "draw"), and in how many plies.
function Table:outcome(code, side)
  if code == 0 then return "draw" end
  local other = side == "police" and "thief" or "police"
  return code % 2 == 0 and side or other, (code - 1) // 2
end

-- Compares two moves: the better one comes first, equals in reading order and then by worlds.
local function comes_first(a, b)
  local x, y = liking(a.code), liking(b.code)
  if x ~= y then return x > y end
  local one, other = a.position, b.position
  for i, place in ipairs(one.officers) do
    if place ~= other.officers[i] then return place < other.officers[i] end
  end
  if one.thief ~= other.thief then return one.thief < other.thief end
  return one.world < other.world
end

-- Returns the moves of a position: the position after each, and its code (seen by the other side).
function Table:moves(p)
  local work, moves = {}, {}
  for i, after in ipairs(self:successors(p, work)) do
    moves[i] = { position = after, code = value(self, after, work) }
  end
  table.sort(moves, comes_first)
  return moves
end

return dragnet
