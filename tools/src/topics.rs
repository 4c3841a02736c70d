//! Texts of `dragnet help TOPIC`, on what several commands share. No line has more than 80 columns.

use crate::input::manifest;

/// A topic: its name, its title, and its text.
pub(crate) struct Topic {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
}

/// All topics, in the order of the list in `dragnet help`.
pub(crate) const ALL: [Topic; 4] = [
    Topic { name: "rules", title: "Presets, the keys of a rules file, how a game ends", text: RULES },
    Topic { name: "boards", title: "Forms of boards, and what each letter means", text: BOARDS },
    Topic { name: "coordinates", title: "Cells, vertices, officers, plies and dtw", text: COORDINATES },
    Topic { name: "manifests", title: "Files that list the tables of a batch", text: manifest::HELP },
];

const RULES: &str = "\
Presets of --rules:
  classic   the officer steps like a king, the thief in row and column; corners
            may be cut
  chase     both step like a king; no corner cutting
  cops      both step along the edges of a graph; the default on graphs
Under all presets either side may stay where it is.

A rules file names what differs from classic. The keys and their defaults:
  officers = 1                how many officers, 0 to 6; --officers prevails
  team = \"all\"                all officers move in a turn, or \"one\" of them
  corner_cutting = true       may a diagonal step pass a wall, or between two?
                              This concerns every offset by one row and one
                              column
  wrap = \"none\"               joined edges: none, horizontal, vertical, both
  stuck = \"loses\"             the side to move without a move: loses, wins
  police_on_exit = \"allowed\"  or \"barred\": no officer steps on an exit, but may
                              start there; or \"wins\": an exit is a goal of the
                              police
  undecided = \"draw\"          whom a position counts for that neither side can
                              win by force: draw, police, thief
  capture = { by = \"king\" }  an officer also captures where such a step would
                              lead, or distance = N of them; by = \"moves\" are
                              the officer's own, \"squares\" rows and columns;
                              { sight = 8 }, with angle, lines and doors: where
                              an officer sees; \"same\": on the same cell alone
  ground = { m = 3 }          turns that a square with this letter takes, 1 to
                              8, or \"barred\"; also in [police] and [thief]
  ways = [\"A\", \"B>C\"]       steps between squares with these letters
  cover = { b = \"full\" }     letters that hide the thief, or but for who is
                              \"beside\" him
  opaque = \"t\"              letters that bar sight
  loot = { squares = \"l\" }   letters that the thief visits before an exit
                              counts, with need and in_order
  limit = { plies = 60, winner = \"thief\" }   who has won after so many plies

  [police]                    the moves of an officer
  moves = \"king\"              king, orthogonal, diagonal, knight, edges, or
                              steps of your own, rows down and columns right:
                              { offsets = [[0, 1], [-1, 2]] }
  may_pass = true             may a piece stay where it is?
  steps = 1                   the most steps in a turn, 1 to 255
  reach = 1                   the most repetitions of a step in its direction,
                              1 to 255: a king with reach 7 is a queen
  glide = false               does a piece go on in its direction until it is
                              stopped, as on ice?

  look = 4                    directions in which an officer looks, 4 or 8
  start = \"D\"               the letter of the squares where officers start
  name = \"dog\"              what to call a piece
  capture, ground             as above, for this kind alone

  [[police]]                  instead, several times: a kind of officers each,
  count = 1                   of whom there are so many

  [thief]                     the same keys for the thief
  moves = \"orthogonal\"

How a game ends, whoever is to move and at the start as well; the first of these
that applies decides:
  1. an officer captures the thief: the police has won
  2. the thief is on an exit: the thief has won
  3. an officer is on an exit, under police_on_exit = \"wins\": the police has won

Moves:
  * Officers may share a cell. Pieces do not block each other, and passing over
    the thief does not catch him.
  * Every step of a longer move must be allowed. A thief who passes an exit
    within a move has not escaped. A way back to the cell where a move began is
    no move: only may_pass lets a piece stay.
  * Under team = \"all\" every officer must move, or stay if that is allowed. If
    one of them can do neither, the police has no move, and stuck decides.
  * undecided changes no value: what neither side can force is a draw in every
    table, in dump and in the plain answers of probe --stdin. Where a command
    says who wins (answer, probe, line, info, stats, and the field winner of
    JSON) it says for whom a draw counts. cops asks for captures, and a draw
    is none.
";

const BOARDS: &str = "\
The text form has a line for each row and a character for each square:
  # or *       wall
  . or blank   open
  E            exit
  > < ^ v      open; a piece leaves it by steps to this side only
  P            open; an officer starts here. Commands that play from the board
               want as many as the rules have officers
  T            open; the thief starts here, at most one
  a m D ...    open; any other letter means what the rules say

A line of = between two rows ends a floor. A text whose first character is +
has thin walls: lines of edges, as in +-+ +, and of squares, as in |. .|, take
turns. 'dragnet board' draws what was read.

All rows have the same length. Blanks at the end of a row are open squares, so
they count. P, T and E are capitals, and v is a small letter; a tab is an error,
and so is an empty line but at the end. There are no comments. One letter stands
for one square, so a board cannot place two officers on one cell.

  #########E##
  #P.........#
  #.###.####.#
  #.........T#
  ############

Other forms, which every command that takes a board reads:
  contest      the text form after a line with rows and columns, as in 5 12
  MovingAI     a .map file: a first line \"type octile\", then height, width, map.
               . G S are open; @ O T W are walls. Swamp costs nothing. A map has
               neither exits nor start cells: give exits with --exit

  Tiled        .tmx, .tmj and .json, with tilesets and templates beside them
  LDtk         .ldtk; each level is a board, --map-level NAME is one of them
  Godot 4      .tscn with TileMapLayer or TileMap
  PNG          a pixel a cell: black and transparent are walls, white is open
  CSV          a field a cell: 0 and . are open, 1 and # walls; E, P and T

What is a wall in a map, the first of these that the map has decides: tiles
with the property collides or solid; tiles with a collision shape; values and
classes of tiles called wall or solid; layers with that property; layers called
walls or collisions. Objects called exit or door, guard or enemy, player or
start, are exits and start cells. 'dragnet board MAP' says what it understood.
The property letter of tiles, layers and objects gives cells a letter, and a
letter as a field of CSV or a value of LDtk is one.
Lines called round, patrol or route are rounds of guards, whose properties are
those of a file of guards; 'dragnet board MAP --to guards' makes one.
Selectors name something else: --walls, --exits, --police, --thief, --rounds,
and --letter m=SELECTOR, with
  layer:NAME       property:NAME[=VALUE]      tile:1-40      value:NAME or N
  object:NAME      colour:#rrggbb             none

A text is UTF-8, or UTF-16 with a byte order mark. 'dragnet board' converts
between the forms, and makes open boards, random walls, mazes and rooms with
--make.

Doors are cells that pieces can enter only while they are open. They stand in a
TOML file for --doors, or in a manifest; each has a key or a schedule:

  [[doors]]
  cell = [0, 3]
  key = [0, 1]         each step onto this cell opens or closes the door
  open = true          how it begins; false if left out

  [[doors]]
  cell = [2, 3]
  schedule = \"..##\"    up to 16 plies: open for two, closed for two, and so on

Guards walk rounds, and capture whom they see. They stand in a TOML file for
--guards, or in a manifest:

  [[guards]]
  round = [[2, 0], [2, 6]]    the squares where the guard turns
  back = true                 there and back, not to the first; false
  pace = 1                    turns for a step; pause = 0 those on each square
  looks = [\"north\", \"east\"]  where it looks on each square; else ahead
  sight = 4                   how far it sees; with angle, lines and doors

A table with doors has a world for each state of theirs. The game begins in
world 0; --world N asks about another. N is keys x plies + ply: of the keys, in
reading order, the first counts 1, the second 2, the third 4 if it has turned
an odd number of times, and the plies are those until all schedules begin anew.

Graphs are boards too, with --graph: a vertex is a cell. Edges lead both ways
unless --directed is given. An edge from a vertex to itself is dropped, and so
is a repeated edge: may_pass says whether a piece may stay.
";

const COORDINATES: &str = "\
Cells       ROW,COL, both from 0; row 0 is on top: 0,0 is the top left corner
Vertices    their number; on a board that is a graph, vertex v is the cell 0,v.
            Graphs in the contest form count from 1; --names takes words
Officers    cells joined by +, in any order: --police 0,3+7,7
Exits       --exit ROW,COL, or first (the first open cell, row by row), or none
Sizes       HEIGHTxWIDTH, as in 8x12

A ply is one move of one side. dtw, distance to win, is the number of plies to
the end of the game if the winner plays the shortest way and the loser the
longest; a draw has none. A side that is to move and has lost in 0 plies has
lost already. In lists of moves the plies are those after the move.

Of equally good moves the first is played and listed first: that is the first
target in reading order, row by row, and with several officers the first sorted
list of their cells. dump writes teams in the order of their numbers in the
table, which is another one: see section 7 of FORMAT.md.
";
