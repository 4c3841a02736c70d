//! Names by which maps usually call walls, exits and the two sides.

/// The role that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Walls,
    Exits,
    Police,
    Thief,
}

/// Words of a role, in lower case. A plural is formed with `s`.
const WALLS: [&str; 6] = ["wall", "solid", "collision", "collider", "obstacle", "blocked"];
const EXITS: [&str; 6] = ["exit", "door", "goal", "escape", "finish", "gate"];
const POLICE: [&str; 12] = [
    "police",
    "policeman",
    "officer",
    "cop",
    "guard",
    "enemy",
    "enemie",
    "hunter",
    "chaser",
    "pursuer",
    "seeker",
    "monster",
];
const THIEF: [&str; 9] =
    ["thief", "thieve", "robber", "burglar", "player", "hero", "evader", "runner", "hider"];
/// Words of the round of a guard, beside which those of the police and `path` may stand.
const ROUNDS: [&str; 3] = ["round", "patrol", "route"];
/// Words of a place to start, which by themselves mean the thief's.
const STARTS: [&str; 4] = ["start", "starting", "spawn", "spawner"];
/// Words that change nothing.
const NEUTRAL: [&str; 14] = [
    "layer", "tile", "map", "point", "position", "pos", "marker", "cell", "area", "zone", "location", "the",
    "of", "entity",
];

/// The property names that make a tile or a layer a wall.
pub(super) const WALL_PROPERTIES: [&str; 2] = ["collides", "solid"];

impl Role {
    /// Returns the role whose name `name` is, such as `Exit_2`, `PlayerStart` or `Starting Point`. Every word
    /// of the name must belong to the role or be neutral.
    pub(super) fn of(name: &str) -> Option<Role> {
        let words = words(name);
        let mut role = None;
        let mut starts = false;
        for word in &words {
            let known = [
                (Role::Walls, &WALLS[..]),
                (Role::Exits, &EXITS[..]),
                (Role::Police, &POLICE[..]),
                (Role::Thief, &THIEF[..]),
            ];
            match known.into_iter().find(|(_, known)| is_one_of(word, known)) {
                Some((found, _)) if role.is_none_or(|role| role == found) => role = Some(found),
                Some(_) => return None,
                None if is_one_of(word, &STARTS) => starts = true,
                None if is_one_of(word, &NEUTRAL) => {}
                None => return None,
            }
        }
        match (role, starts) {
            (Some(Role::Walls | Role::Exits), true) => None,
            (None, true) => Some(Role::Thief),
            (role, _) => role,
        }
    }
}

/// Returns whether a name is that of a guard's round, such as `Patrol_2` or `GuardRoute`.
pub(super) fn is_round(name: &str) -> bool {
    let words = words(name);
    let is_beside =
        |word: &String| [&POLICE[..], &NEUTRAL, &["path"]].iter().any(|known| is_one_of(word, known));
    words.iter().any(|word| is_one_of(word, &ROUNDS))
        && words.iter().all(|word| is_one_of(word, &ROUNDS) || is_beside(word))
}

/// Returns whether a word is one of those known, or its plural.
fn is_one_of(word: &str, known: &[&str]) -> bool {
    known.contains(&word) || word.strip_suffix('s').is_some_and(|one| known.contains(&one))
}

/// Returns the words of a name in lower case: parts of several letters, apart from digits and signs, and
/// before each capital letter that follows a small one.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for letter in name.chars() {
        if !letter.is_alphabetic() || small && letter.is_uppercase() {
            words.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        small = letter.is_lowercase();
    }
    words.retain(|word| word.chars().nth(1).is_some());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_worlds_have_their_roles() {
        let known = [
            ("walls", Role::Walls),
            ("Collision Layer", Role::Walls),
            ("COLLISIONS", Role::Walls),
            ("Exit", Role::Exits),
            ("exit_2", Role::Exits),
            ("Exit B", Role::Exits),
            ("Doors", Role::Exits),
            ("EnemySpawn3", Role::Police),
            ("guards", Role::Police),
            ("Enemies", Role::Police),
            ("Starting Point", Role::Thief),
            ("PlayerStart", Role::Thief),
            ("Player", Role::Thief),
        ];
        for (name, role) in known {
            assert_eq!(Role::of(name), Some(role), "{name}");
        }
        assert!(
            ["patrol", "Patrols", "Guard route B", "PatrolPath", "RoundOfTheGuard"].into_iter().all(is_round)
        );
        assert!(!["", "Guard", "path", "Exit route", "Roundabout", "PlayerRoute"].into_iter().any(is_round));
        for name in ["", "DoorKey", "wallpaper", "Exit door of the guard", "layer 1", "ground", "WallStart"] {
            assert_eq!(Role::of(name), None, "{name}");
        }
    }
}
