import { processHost, serve } from './serve/serve.ts'
import { defineVexil } from './vexil-provider.ts'

/** Loads the modules that a start does not need, so that the code cache of a release has them as well. */
export const loadRest = () => import('../api/open-connections.ts')

// Not awaited at the top: the shipped file is CommonJS, which has no top-level await.
void serve(defineVexil, processHost(process))
