import { meantHint } from '../../model/text/did-you-mean.ts'
import { referenceText } from '../../schema/reference/reference.ts'
import { publishedSchemas } from '../../schema/schemas.ts'
import { CommandError, type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'

/** `vexil schema [NAME]`: one of the published schemas, or their names; with `--markdown`, the reference of all kinds. */
export async function runSchema(
  host: Host,
  name: string | undefined,
  { markdown }: { readonly markdown?: boolean },
): Promise<ExitCode> {
  if (markdown) {
    if (name !== undefined)
      throw new CommandError('--markdown prints the reference of all kinds: give no name', exitCode.usage)
    host.stdout.write(referenceText())
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
