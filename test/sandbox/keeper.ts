import { realRuntime } from '../../src/core/real-runtime.ts'
import { createSandbox, serveSandbox } from '../../src/sandbox/index.ts'

/** A sandbox in a process of its own, for a test to kill: `keeper.ts FOLDER`. */
const sandbox = await createSandbox({ runtime: realRuntime, data: process.argv[2]!, empty: true })
const served = await serveSandbox(sandbox)
process.stdout.write(`${JSON.stringify(served.summary)}\n`)
