import type { Scene } from '../scene.ts'
import { flagScenes } from './flags.ts'
import { guardScenes } from './guards.ts'
import { mistakeScenes } from './mistakes.ts'
import { moreScenes } from './more.ts'
import { otherScenes } from './others.ts'
import { todayScenes } from './today.ts'

export const scenes: readonly Scene[] = [
  ...flagScenes,
  ...otherScenes,
  ...guardScenes,
  ...mistakeScenes,
  ...moreScenes,
  // Last, so that the others keep their positions.
  ...todayScenes,
]
