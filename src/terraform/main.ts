import { processHost, serve } from './serve/serve.ts'
import { defineVexil } from './vexil-provider.ts'

/** Loads the modules that a start does not need, so that the code cache of a release contains them too. */
export const loadRest = () => import('../api/open-connections.ts')

// Not awaited, because the released file is CommonJS and has no top-level await.
void serve(defineVexil, processHost(process))
