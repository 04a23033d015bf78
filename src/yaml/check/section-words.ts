import { declarableKinds } from '../../kinds/index.ts'
import type { DeclarableKind } from '../../model/kind.ts'
import { settingsSchema } from '../../schema/input/settings-schema.ts'
import { memberNames } from './schema-at.ts'

/** The names of settings, which people also write into a file of declarations. */
export const settingNames: ReadonlySet<string> = new Set(memberNames(settingsSchema()))

/** The kind that people mean by another word for its section: `flag`, `flags`, `feature_flag`. */
export function kindMeantBy(key: string): DeclarableKind | undefined {
  return declarableKinds.find(({ name, title }) => key === name || key === title || key === `${title}s`)
}

export function isSectionWord(key: string): boolean {
  return kindMeantBy(key) !== undefined
}
