import { Option } from 'commander'

/** The languages that live objects are written in. */
export const exportLanguages = ['yaml', 'hcl', 'ts'] as const

export type ExportLanguage = (typeof exportLanguages)[number]

/** `--format`, under a name of its own: in what form a command shows its result is called so as well. */
export function languageOption(): Option {
  const option = new Option(
    '--format <language>',
    'yaml, hcl (Terraform that imports everything), or ts (the same as constructs)',
  ).choices(exportLanguages)
  option.attributeName = () => 'language'
  return option
}
