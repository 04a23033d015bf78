import { meantHint } from '../model/did-you-mean.ts'
import { pointerOf } from '../model/pointer.ts'
import type { Problem } from '../model/problem.ts'
import type { FileDeclarations } from './declaration.ts'
import { type DeclarationFile, quoteWritten } from './declaration-file.ts'
import { redact } from './interpolate.ts'
import { listNames, quote } from './quote.ts'
import type { Settings } from './settings.ts'

/** Environments that declarations name and the settings do not know. */
export function checkEnvironmentNames({ objects, grants }: FileDeclarations, settings: Settings): Problem[] {
  const names = settings.environments.map(({ name }) => name)
  const check = (
    file: DeclarationFile,
    address: string,
    name: string,
    pointer: string,
    at: 'key' | 'value',
  ) =>
    names.includes(name)
      ? []
      : [
          {
            ...unknownEnvironment(name, names, at === 'value' ? quoteWritten(file, pointer) : quote(name)),
            source: file.parsed.locate(pointer, at),
            address: redact(address, file.secrets),
          },
        ]
  const listed = [
    ...objects.map(({ file, address, only, base }) => ({ file, address, only, pointer: base.pointer })),
    ...grants.map(({ file, kind, only, pointer, flag, role }) => ({
      file,
      address: `${kind.name}.${flag}:${role}`,
      only,
      pointer,
    })),
  ]
  return [
    ...listed.flatMap(({ file, address, only = [], pointer }) =>
      only.flatMap((name, index) => check(file, address, name, `${pointer}/only/${index}`, 'value')),
    ),
    ...objects.flatMap(({ file, address, base, environments }) =>
      [...environments.keys()].flatMap(name =>
        check(file, address, name, base.pointer + pointerOf('environments', name), 'key'),
      ),
    ),
  ]
}

/** Says that there is no such environment, and which there are. */
export function unknownEnvironment(
  name: string,
  names: readonly string[],
  shown: string = quote(name),
): Problem {
  const listed = names.length === 0 ? 'vexil.yaml declares none' : `there are: ${listNames(names, 'and')}`
  return {
    code: 'unknown-environment',
    severity: 'error',
    message: `${shown} is not an environment`,
    hint: meantHint(name, names, listed),
  }
}
