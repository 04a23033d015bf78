// Plans a repository of declarations, and applies it when no change is critical: what a bot of one's own would do.
// node apply.mjs [DIRECTORY] [ENVIRONMENT]
import { CommandError, load, ProblemsError } from 'vexil'

try {
  const [directory, environment] = process.argv.slice(2)
  const repository = await load({ directory, environment, onNote: line => console.error(line) })
  const planned = await repository.plan()
  console.log(await planned.render())
  const critical = planned.plan.changes.filter(({ risk }) => risk === 'critical')
  if (critical.length > 0) {
    console.log(`somebody has to look at ${critical.map(({ address }) => address).join(', ')}`)
  } else {
    const run = await planned.apply({ onEvent: ({ type, address }) => console.log(`${type} ${address}`) })
    console.log(await run.render())
    process.exitCode = run.exitCode
  }
} catch (error) {
  if (!(error instanceof CommandError)) throw error
  if (error instanceof ProblemsError) {
    for (const { message, hint, source } of error.problems) {
      const position = source ? `${source.file}:${source.line} ` : ''
      console.error(`${position}${message}${hint ? `; ${hint}` : ''}`)
    }
  }
  console.error(error.message)
  process.exitCode = error.code
}
