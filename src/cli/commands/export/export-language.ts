import { Option } from 'commander'

/** The languages that live objects are written in. */
export const exportLanguages = ['yaml', 'hcl', 'ts'] as const

export type ExportLanguage = (typeof exportLanguages)[number]

/** `--format`, under a name of its own: in what form a command shows its result is called so as well. */
export function languageOption(): Option {
  const option = new Option(
    '--format <language>',
    'the language: yaml, hcl for a configuration of Terraform that imports everything, or ts for the same as constructs of CDKTF',
  ).choices(exportLanguages)
  option.attributeName = () => 'language'
  return option
}
