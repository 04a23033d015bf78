import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from './engines.ts'

/*
 * Go ignores the `replace` lines of a module that it builds for another one, and refuses to install a program whose
 * module has some. So a main module of ours requires the engine and repeats its lines:
 *
 * | line                                     | here                                                              |
 * |------------------------------------------|-------------------------------------------------------------------|
 * | X v1 => Y v2                             | the same                                                          |
 * | X => ./folder, a module inside this one  | => ./absent/N, which compiles in its place: a published module    |
 * |                                          | lacks the folders that are modules of their own                   |
 *
 * Those folders are Terraform's backends for states in clouds. An engine that is built so has the others (`local`,
 * `remote`, `http`, `inmem`), and panics when it is asked for one that it lacks. The tests ask for `local`.
 */

/** What `go mod edit -json` says of a module; a list without entries is null there. */
export interface GoMod {
  readonly Go: string
  readonly Godebug: readonly { readonly Key: string; readonly Value: string }[] | null
  readonly Replace:
    | readonly {
        readonly Old: { readonly Path: string; readonly Version?: string }
        readonly New: { readonly Path: string; readonly Version?: string }
      }[]
    | null
}

/** Writes that main module into an empty folder. `sums` is the engine's own `go.sum`: each of its modules is checked against it. */
export async function writeMainModule(
  folder: string,
  engine: Engine,
  { Go: go, Godebug, Replace }: GoMod,
  sums: string,
): Promise<void> {
  const lines = [
    'module engine',
    `go ${go}`,
    ...(Godebug ?? []).map(({ Key, Value }) => `godebug ${Key}=${Value}`),
    `require ${engine.module} v${engine.version}`,
  ]
  for (const [index, { Old, New }] of (Replace ?? []).entries()) {
    const old = [Old.Path, Old.Version].filter(Boolean).join(' ')
    if (New.Version) {
      lines.push(`replace ${old} => ${New.Path} ${New.Version}`)
    } else {
      const absent = `./absent/${index}`
      await writeAbsent(join(folder, absent), Old.Path, engine.module, go)
      lines.push(`replace ${old} => ${absent}`)
    }
  }
  await writeFile(join(folder, 'go.mod'), `${lines.join('\n')}\n`)
  await copyFile(sums, join(folder, 'go.sum'))
  // As modules are kept, nobody may write it, and Go adds the engine's own line.
  await chmod(join(folder, 'go.sum'), 0o644)
}

/** A backend in whose place nothing is: what the list of backends needs to compile. */
async function writeAbsent(folder: string, path: string, module: string, go: string): Promise<void> {
  const name = path.split('/').at(-1) ?? path
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'go.mod'), `module ${path}\n\ngo ${go}\n`)
  await writeFile(
    join(folder, 'absent.go'),
    `package ${name}

import "${module}/internal/backend"

func New() backend.Backend { panic("this build has no backend ${name}") }
`,
  )
}
