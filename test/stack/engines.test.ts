import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/hcl/language/expression.ts'
import { binaryOf, titleOf } from '../engines/engines.ts'
import { isSameAnswer } from '../hcl/language/fits.ts'
import { type OurAnswer, ourAnswer } from '../hcl/language/our-answer.ts'
import { answersIn, type Kept, recordedAnswers } from '../hcl/language/recorded-answers.ts'
import { enginesOfRun } from '../suites.ts'
import { inFolder } from '../support/folder.ts'
import { differencesOf } from './engine-answers.ts'
import { folderFiles } from './folder-parity/folder.ts'
import { ourFolderAnswer } from './folder-parity/folder-answers.ts'
import recorded from './recorded-engines.json' with { type: 'json' }

// `record-engines.ts` writes what was asked, and what the engine answered.
const byEngine = Object.entries(recorded).map(
  // The file holds what `recordText` writes.
  ([title, kept]) => [title, answersIn(kept as unknown as Readonly<Record<string, Kept>>)] as const,
)

describe.each(byEngine)('what %s answers otherwise than Terraform 1.11.4', (title, differences) => {
  const known = title.startsWith('opentofu') ? 'OpenTofu' : 'Terraform'
  const built = enginesOfRun().find(each => titleOf(each) === title)

  it('is refused by name or the same here for that engine, and refused while nobody knows the engine', async () => {
    await inFolder(folderFiles, async folder => {
      const wrong = Object.entries(differences).filter(([asked, answer]) => {
        const oursFor = (engine?: Engine) =>
          Object.hasOwn(recordedAnswers, asked)
            ? ourAnswer(asked, engine)
            : ourFolderAnswer(asked, folder, engine)
        const ours = oursFor(known)
        return !isRefused(oursFor()) || !(isRefused(ours) || isSameAnswer(ours, answer))
      })
      expect(wrong).toEqual([])
    })
  })

  it.skipIf(!built)('is what it still answers otherwise', async () => {
    const isAsked = (asked: string, index: number) => index % 10 === 0 || Object.hasOwn(differences, asked)
    expect(await differencesOf(built ? binaryOf(built) : '', isAsked)).toEqual(differences)
  })
})

function isRefused(answer: OurAnswer): answer is { readonly unsupported: string } {
  return typeof answer === 'object' && 'unsupported' in answer
}
