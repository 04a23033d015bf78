import { processHost } from './process-host.ts'
import { serve } from './serve/serve.ts'
import { defineVexil } from './vexil-provider.ts'

/** Loads what a start leaves for later, so that the code cache of a release has it as well. */
export const loadRest = () => import('../api/open-connections.ts')

// Not awaited at the top: the shipped file is CommonJS, which knows no such thing.
void serve(defineVexil, processHost(process))
