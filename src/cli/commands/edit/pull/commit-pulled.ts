import { commitFiles, commitObstacle } from '../../../../git/commits.ts'
import { escapeText } from '../../../../model/text/escape-text.ts'
import { counted } from '../../../../report/object-names.ts'
import type { EditedFile } from '../../../../yaml/edit/edit-declarations.ts'
import { CommandError, exitCode } from '../../../host/exit-code.ts'
import type { Host } from '../../../host/host.ts'
import { writeFiles } from '../write-edit.ts'
import { type EditedPull, editPulled, type PullPlace, type TakenField } from './edit-pulled.ts'

interface Step {
  readonly files: readonly EditedFile[]
  readonly fields: readonly TakenField[]
  readonly author: string | undefined
}

/**
 * Writes what is taken and commits it: one commit for each person whose changes they are, one for those of whom nobody knows.
 * Nothing is written where anything is staged, or where one of the files has other changes. A commit that git refuses is taken
 * back from the files; those before it stay. Answers with a line for each.
 */
export async function commitPulled(host: Host, place: PullPlace, edited: EditedPull): Promise<string[]> {
  const { directory } = place.repository.options
  const git = { directory, env: withoutKeys(host) }
  const all = edited.checked.files.map(({ file }) => file)
  if (all.length === 0) return []
  const obstacle = await commitObstacle(git, all)
  if (obstacle !== undefined)
    throw new CommandError(`nothing was written: ${escapeText(obstacle)}`, exitCode.refused)
  const told: string[] = []
  for (const step of await stepsOf(place, edited)) {
    await writeFiles(directory, step.files, {})
    const subject = subjectOf(step.fields)
    const message = host.secrets.hide(`${subject}\n\n${bodyOf(place, step)}\n`)
    const files = step.files.map(({ file }) => file)
    const made = await commitFiles(git, files, message)
    if (made.is === 'refused') {
      const back = step.files.map(({ file, before, after }) => ({ file, before: after, after: before }))
      await writeFiles(directory, back, {})
      const before = told.length === 0 ? '' : `; ${counted(told.length, 'commit')} before it stayed`
      throw new CommandError(
        `git refused to commit ${files.map(file => `"${file}"`).join(', ')}, which is as it was: ${escapeText(made.words)}${before}`,
      )
    }
    told.push(`committed: ${subject}`)
  }
  return told
}

/** The same files in steps, each with what one person has changed. */
async function stepsOf(place: PullPlace, { taken, checked }: EditedPull): Promise<Step[]> {
  const nameOf = ({ field }: TakenField) => field.author?.name
  const names = [...new Set(taken.map(nameOf))]
  const texts = new Map(checked.files.map(({ file, before }) => [file, before]))
  const steps: Step[] = []
  for (const [index, author] of names.entries()) {
    const done = names.slice(0, index + 1)
    const isLast = index === names.length - 1
    const so = isLast
      ? checked
      : (
          await editPulled(
            place,
            taken.filter(each => done.includes(nameOf(each))),
          )
        ).checked
    const files = so.files.flatMap(({ file, after }): EditedFile[] => {
      const before = texts.get(file)
      return before === undefined || before === after ? [] : [{ file, before, after }]
    })
    for (const { file, after } of files) texts.set(file, after)
    if (files.length > 0) steps.push({ files, author, fields: taken.filter(each => nameOf(each) === author) })
  }
  return steps
}

function subjectOf(fields: readonly TakenField[]): string {
  const addresses = [...new Set(fields.map(({ address }) => address))]
  const [only = ''] = addresses
  const short = `Take over ${escapeText(only)} from the product`
  return addresses.length === 1 && short.length <= 72
    ? short
    : `Take over ${counted(addresses.length, 'object')} from the product`
}

function bodyOf({ pulling }: PullPlace, { author, fields }: Step): string {
  const { name } = pulling.environment
  const where = name === undefined ? '' : ` in ${name}`
  const who = author === undefined ? 'somebody whom the activity trail does not name' : escapeText(author)
  const lines = fields.map(({ address, field }) => {
    const at = field.author?.at
    const when = at === undefined ? '' : `, ${new Date(at).toISOString()}`
    const why = field.author?.reason === undefined ? '' : ` (${escapeText(field.author.reason)})`
    return `- ${escapeText(address)}: ${escapeText(field.field)}${when}${why}`
  })
  return [`Changed${where} by ${who}:`, '', ...lines].join('\n')
}

/** Hooks need no key of the service. */
function withoutKeys({ env, secrets }: Host): Host['env'] {
  return Object.fromEntries(
    Object.entries(env).filter(([, value]) => value === undefined || !secrets.isIn(value)),
  )
}
