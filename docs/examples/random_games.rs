// Random games with the engine compiled ahead, each played out by one call (docs/how-to/native.md):
// rustc -O -L build/native/linux-x86-64-v3 -l dawn-v3 -o build/random_games docs/examples/random_games.rs &&
//     LD_LIBRARY_PATH=build/native/linux-x86-64-v3 build/random_games 1000
use std::{env, time::Instant};

const HEADER: &str = include_str!("../../build/native/dawn.h");
const VP: usize = 3; // offset of vp, int16_t

extern "C" {
    fn dawn_new_game(game: *mut u8, seed: i64, mode: i32, bid: i32, democrat: i32, communist: i32) -> i32;
    fn dawn_advance_pointer() -> i64;
    fn dawn_play_out(step: i64, games: *mut u8, games_0: i32, seeds: *const i64, seeds_0: i32) -> i32;
}

/// Bytes of a game, as the header says.
fn state_size() -> usize {
    let value = HEADER.split("#define DAWN_STATE_SIZE ").nth(1).and_then(|rest| rest.lines().next());
    value.and_then(|text| text.parse().ok()).expect("DAWN_STATE_SIZE in dawn.h")
}

fn main() {
    let count: i64 = env::args().nth(1).map_or(1000, |text| text.parse().expect("number of games"));
    let (mut game, mut points, started) = (vec![0u8; state_size()], 0i64, Instant::now());
    for seed in 0..count {
        let codes = unsafe {
            let begun = dawn_new_game(game.as_mut_ptr(), seed, 0, 0, 0, 0);
            [begun, dawn_play_out(dawn_advance_pointer(), game.as_mut_ptr(), 1, &seed, 1)]
        };
        assert_eq!(codes, [0, 0]);
        points += i64::from(i16::from_le_bytes([game[VP], game[VP + 1]]));
    }
    println!("{count} games, {points} points");
    eprintln!("{:.0} games a second", count as f64 / started.elapsed().as_secs_f64());
}
