import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { meantHint } from '../../model/text/names.ts'
import { publishedSchemas } from '../../schema/schemas.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import { type Host, packageRoot } from '../host/host.ts'

/** `vexil schema [NAME]`: prints a schema, or the names of all; with `--markdown`, the reference. */
export async function runSchema(
  host: Host,
  name: string | undefined,
  { markdown }: { readonly markdown?: boolean },
): Promise<ExitCode> {
  if (markdown) {
    if (name !== undefined) throw new CommandError('--markdown takes no name', exitCode.usage)
    host.stdout.write(await readFile(join(packageRoot(), 'schemas', 'reference.md'), 'utf8'))
    return exitCode.done
  }
  const schemas = publishedSchemas()
  const names = Object.keys(schemas).map(file => file.replace('.schema.json', ''))
  if (name === undefined) {
    host.stdout.write(`${names.join('\n')}\n`)
    return exitCode.done
  }
  const schema = schemas[`${name}.schema.json`]
  if (!schema) {
    const hint = meantHint(name, names, `there are ${names.join(', ')}`)
    throw new CommandError(`there is no schema "${name}"; ${hint}`, exitCode.usage)
  }
  host.stdout.write(`${JSON.stringify(schema, null, 2)}\n`)
  return exitCode.done
}
