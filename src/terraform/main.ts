import { processHost } from './process-host.ts'
import { serve } from './serve/serve.ts'
import { defineVexil } from './vexil.ts'

// Not awaited at the top: the shipped file is CommonJS, which knows no such thing.
void serve(defineVexil, processHost(process))
