/** Whole numbers from 0 up to the one that is asked for, the same ones for the same seed. */
export function seeded(seed: number): (below: number) => number {
  let state = seed * 2 + 1
  return below => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}
