/* Random games with the engine compiled ahead (docs/how-to/native.md):
 * cc -std=c99 -O2 -Wall -Wextra -pedantic -I build/native -o build/random_games docs/examples/random_games.c \
 *    build/native/linux-x86-64-v3/libdawn-v3.so &&
 * LD_LIBRARY_PATH=build/native/linux-x86-64-v3 build/random_games 1000 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "dawn.h"

static int8_t view[DAWN_STANDARD_VIEW], mask[DAWN_STANDARD_MASK];

/* Play a game to its end; decisions taken, -1 where the engine reports an error. `check` sums up all that was seen. */
static int32_t play(dawn_state *game, int64_t seed, uint64_t *check) {
  int64_t action;
  if (dawn_new_game(game, seed, 0, 0, 0, 0) != DAWN_OK) return -1;
  while (game->result == 0) {
    if (dawn_observe(game, game->actor, view, DAWN_STANDARD_VIEW, mask, DAWN_STANDARD_MASK) != DAWN_OK) return -1;
    for (int i = 0; i < DAWN_STANDARD_VIEW; i++) *check = *check * 31 + (uint8_t)view[i];
    dawn_random_actions(game, 1, mask, 1, DAWN_STANDARD_MASK, &action, 1);
    if (dawn_step(game, (int32_t)action) != DAWN_OK) return -1;
  }
  return game->decisions;
}

int main(int count, char **arguments) {
  dawn_state *game = calloc(1, sizeof *game);
  int games = count > 1 ? atoi(arguments[1]) : 1000;
  int64_t decisions = 0, points = 0;
  uint64_t check = 0;
  clock_t started = clock();
  if (game == NULL || sizeof *game != DAWN_STATE_SIZE) return 1;
  for (int seed = 0; seed < games; seed++) {
    int32_t length = play(game, seed, &check);
    if (length < 0) return 1;
    decisions += length;
    points += game->vp;
  }
  printf("%d games, %" PRId64 " decisions, %" PRId64 " points, check %016" PRIx64 "\n", games, decisions, points, check);
  fprintf(stderr, "%.0f decisions a second\n", (double)decisions * CLOCKS_PER_SEC / (double)(clock() - started));
  free(game);
  return 0;
}
