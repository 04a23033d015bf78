import type { FormatName } from '../../report/formats.ts'
import type { Split } from '../../yaml/write/split-files.ts'
import type { ExportLanguage } from '../command-options.ts'

type Texts = readonly string[]

/** The parsed options of all commands. `command-options.ts` and `program.ts` assign them to commands. */
export interface Flags {
  readonly activity?: boolean
  readonly all?: boolean
  /** Rules that are allowed; for `retire` also `references`. */
  readonly allow?: Texts
  readonly allowHost?: Texts
  readonly allOrNothing?: boolean
  readonly apiKey?: string
  /** The command that synthesizes a stack first. */
  readonly app?: string
  readonly autoApprove?: boolean
  /** `auto`, `none`, or a revision. */
  readonly base?: string
  readonly baseUrl?: string
  /** JSON text, `@FILE`, or `-` for standard input. */
  readonly body?: string
  readonly chdir?: string
  readonly check?: boolean
  /** commander's form of `--no-color` and `--color WHEN`. */
  readonly color?: boolean | string
  readonly commit?: boolean
  readonly condition?: string
  readonly coverage?: boolean
  readonly data?: string
  readonly days?: string
  readonly detailedExitcode?: boolean
  readonly deviceId?: string
  readonly directory?: string
  readonly distinctId?: string
  readonly dryRun?: boolean
  readonly empty?: boolean
  readonly engine?: 'terraform' | 'tofu'
  readonly env?: string
  readonly estimates?: boolean
  readonly expires?: string
  readonly failOnBlocked?: boolean
  readonly fault?: Texts
  /** The format of the result; text for people if no option chose one. */
  readonly format?: FormatName
  readonly from?: string
  readonly fromLive?: boolean
  readonly fromState?: string
  readonly go?: boolean
  /** Whether role access is read too. */
  readonly grants?: boolean
  readonly group?: Texts
  readonly groupProperty?: Texts
  readonly host?: string
  readonly in?: Texts
  /** commander's form of `--no-input`. */
  readonly input?: boolean
  readonly kind?: Texts
  readonly language?: ExportLanguage
  readonly live?: boolean
  readonly logFormat?: string
  readonly maxCount?: string
  readonly metrics?: string
  readonly minCoverage?: string
  readonly moved?: boolean
  readonly offline?: boolean
  readonly organization?: string
  readonly out?: string
  /** Owners; together with targets, objects that match both. */
  readonly owner?: Texts
  readonly package?: string
  readonly parallelism?: string
  /** A file with a plan of Terraform that is read in place of YAML files. */
  readonly planJson?: string
  readonly port?: string
  readonly profile?: string
  readonly project?: string
  readonly property?: Texts
  readonly propertyMatchingVersion?: '1' | '2'
  readonly provider?: string
  readonly prune?: string
  readonly py?: boolean
  readonly quiet?: boolean
  readonly quirk?: Texts
  readonly raw?: boolean
  readonly reason?: string
  readonly report?: Texts
  /** The file of a reviewed plan. */
  readonly reviewed?: string
  readonly sandbox?: boolean
  readonly scope?: Texts
  readonly sdk?: Texts
  readonly shared?: boolean
  readonly show?: Texts
  readonly showEqual?: boolean
  readonly showUnchanged?: boolean
  readonly split?: Split
  /** Synthesized stacks, read instead of YAML files: their folders, their names, or patterns of names. */
  readonly stack?: Texts
  /** Addresses, bare identities, or globs of either. */
  readonly target?: Texts
  readonly terraformPlan?: string
  readonly to?: string
  readonly ts?: boolean
  readonly undeclared?: boolean
  readonly unused?: boolean
  readonly value?: string
  readonly var?: Texts
  readonly verbose?: boolean
  readonly world?: string
  readonly query?: Texts
}

/** An export can have several environments and chosen objects: addresses, bare identities, or globs. */
export interface ExportFlags extends Omit<Flags, 'env'> {
  readonly env?: Texts
  readonly addresses?: Texts
}
