import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { stackFileName } from '../stack/index.ts'
import {
  type AppSubject,
  type ConstructSubject,
  isApp,
  isConstruct,
  isStack,
  type Subject,
} from './subject.ts'

/** A synthesized stack, in its folder. */
export interface SynthesizedStack {
  readonly name: string
  readonly folder: string
}

/** The stacks of a subject; what was written for them is there until they are removed. */
export interface Synthesis {
  readonly stacks: readonly SynthesizedStack[]
  remove(): void
}

/**
 * Lets the app of a subject synthesize into a new folder, with everything that `app.synth()` does: aspects, validations,
 * references between stacks. Only a provider may be missing. The app's own output folder is left as it is. Throws what
 * the synthesis throws.
 */
export function synthesize(subject: Subject): Synthesis {
  if (typeof subject !== 'string') return synthesizeConstruct(subject)
  return subject.trimStart().startsWith('{') ? keepText(subject) : findFolder(subject)
}

function synthesizeConstruct(subject: ConstructSubject): Synthesis {
  const app = appOf(subject)
  const { outdir, remove } = makeFolder()
  try {
    const stacks = synthesizeInto(app, outdir)
    if (subject === app) return { stacks, remove }
    const { id } = subject.node
    return { stacks: stacks.filter(({ name }) => name === id), remove }
  } catch (error) {
    remove()
    throw error
  }
}

function appOf(subject: ConstructSubject): AppSubject {
  const what = isConstruct(subject) ? `"${subject.node.path}"` : String(subject)
  if (!isConstruct(subject) || !(isApp(subject) || isStack(subject))) {
    throw new Error(`${what} is no stack: give the stack or the app that it is in`)
  }
  const { root } = subject.node
  if (!isApp(root))
    throw new Error(`the stack ${what} is in no app; make it with new MyStack(new App(), 'name')`)
  return root
}

/** The app's own `synth`, run on an app that differs from it in nothing but where it writes and who validates. */
function synthesizeInto(app: AppSubject, outdir: string): readonly SynthesizedStack[] {
  // The class that made the app's manifest: each engine has its own.
  const Manifest = app.manifest.constructor as new (
    version: string,
    outdir: string,
    hclOutput: boolean,
  ) => { readonly stacks: Readonly<Record<string, { name: string; workingDirectory: string }>> }
  const manifest = new Manifest(app.manifest.version, outdir, false)
  const elsewhere: AppSubject = Object.create(app, {
    outdir: { value: outdir },
    manifest: { value: manifest },
    skipValidation: { value: true },
  })
  elsewhere.synth()
  if (!app.skipValidation) requireValid(app)
  return Object.values(manifest.stacks).map(({ name, workingDirectory }) => ({
    name,
    folder: resolve(outdir, workingDirectory),
  }))
}

/** A part of a stack can be tested without a provider; what else the constructs find wrong is wrong here too. */
function requireValid({ node }: AppSubject): void {
  const problems = node.findAll().flatMap(construct => {
    const found = construct.node
      .validate()
      .filter(problem => !problem.includes('without a matching provider'))
    return found.map(problem => `[${construct.node.path}] ${problem}`)
  })
  if (problems.length > 0) throw new Error(['the app is not valid', ...problems].join('\n  '))
}

function keepText(text: string): Synthesis {
  const { outdir, remove } = makeFolder()
  const folder = join(outdir, 'stack')
  mkdirSync(folder)
  writeFileSync(join(folder, stackFileName), text)
  return { stacks: [{ name: 'stack', folder }], remove }
}

/** A stack that somebody else has synthesized stays where it is. */
function findFolder(path: string): Synthesis {
  const folder = resolve(basename(path) === stackFileName ? dirname(path) : path)
  if (!existsSync(join(folder, stackFileName))) {
    throw new Error(
      `there is no ${stackFileName} in "${path}"; name the folder of one stack, such as cdktf.out/stacks/NAME`,
    )
  }
  return { stacks: [{ name: basename(folder), folder }], remove: () => undefined }
}

function makeFolder(): { readonly outdir: string; remove(): void } {
  const outdir = mkdtempSync(join(tmpdir(), 'vexil-testing-'))
  return { outdir, remove: () => rmSync(outdir, { recursive: true, force: true }) }
}
