/**
 * What is called otherwise today than when the worlds were recorded. A renamed word is added here, with its reason,
 * and the recordings stay as they are. The table is for texts alone: requests and exit codes are compared as recorded.
 */
export interface Rename {
  /** In the recorded command line, standard output and standard error; a text stands for each of its places. */
  readonly recorded: string | RegExp
  readonly today: string
  readonly reason: string
}

const blocked = 'one word for what is planned and not made'
const claimed = 'to adopt is to take over a live object; to claim is to put the ownership tag on'
const restored = 'the word for taking a soft delete back'
const allowed = 'the word of the option `--allow`'
const planMembers = 'members of plan documents, format 2'

export const wordTable: readonly Rename[] = [
  {
    recorded: /"format_version": "1\.0",(?=\s+"tool")/g,
    today: '"format_version": "2.0",',
    reason: planMembers,
  },
  { recorded: /"base": (?=null|"sha256:)/g, today: '"fingerprint": ', reason: planMembers },
  { recorded: '"words": ', today: '"summary": ', reason: planMembers },
  { recorded: '"way_past": ', today: '"remedy": ', reason: planMembers },
  {
    recorded: /^(?=.{54}\S+:\d+$)(.*)\bwithheld by (\w+ +)/gm,
    today: '$1blocked by $2 ',
    reason: `${blocked}; a shorter one, before a column`,
  },
  { recorded: 'WITHHELD', today: 'BLOCKED', reason: blocked },
  { recorded: 'withheld', today: 'blocked', reason: blocked },
  { recorded: /(?<="action": ?")adopt(?=")/g, today: 'claim', reason: claimed },
  { recorded: /(?<=^ +)"adopt": (?=\d)/gm, today: '"claim": ', reason: claimed },
  { recorded: /(?<=\d )to adopt\b/g, today: 'to claim', reason: claimed },
  { recorded: /(?<=^ +@ .*)\badopted$/gm, today: 'claimed', reason: claimed },
  {
    recorded: /\bcarry the label\b(.*) the next plan adopts\b/g,
    today: 'carry the tag$1 the next plan claims',
    reason: claimed,
  },
  { recorded: /(?<="action": ?")revive(?=")/g, today: 'restore', reason: restored },
  { recorded: /(?<=^ +)"revive": (?=\d)/gm, today: '"restore": ', reason: restored },
  { recorded: /\brevive (?=blocked)/g, today: 'restore ', reason: restored },
  { recorded: 'waved through', today: 'allowed', reason: allowed },
  { recorded: 'acknowledge', today: 'allow', reason: allowed },
  {
    recorded: /\bis no guard of a\b/g,
    today: 'is not a rule that blocks a',
    reason: 'a rule has a name; a guard is code',
  },
  {
    recorded: /\bis not a guard\b/g,
    today: 'is not a rule that can be allowed',
    reason: 'a rule has a name; a guard is code',
  },
  {
    recorded: 'there are can_edit, delete_limit',
    today: 'there are approval_pending, can_edit, delete_limit',
    reason: 'what waits for approval in the service is not asked for once more',
  },
  { recorded: 'checked: no mistakes', today: 'checked: no problems', reason: 'the word of the glossary' },
  { recorded: 'our second copy', today: 'the second copy of this run', reason: 'nobody knows who "we" are' },
  {
    recorded: /(?<=^ *(?:out )? +)deleted in the service$/gm,
    today: 'deleted in the service; what an apply would do:',
    reason: 'as drift says it of every other change',
  },
  { recorded: 'carries our label', today: 'carries the ownership tag', reason: claimed },
  { recorded: 'marked as ours;', today: 'gets the ownership tag;', reason: claimed },
  {
    recorded: /(?<=argument 'sometimes' is invalid\. .*\n *(?:err )?)\(vexil --help lists the commands\)/g,
    today: '(vexil plan --help lists the options)',
    reason: 'the help of the command that was meant',
  },
  {
    recorded: /("allow":(?:null|\[[^\]]*\]),)((?:"active":\w+,)?"adopt":\w+,)/g,
    today: '$2$1',
    reason: `${allowed}; it has another place in the alphabet`,
  },
  {
    recorded: /(flags\.yaml:15:)19( .* element 1 of "allow"[\s\S]*?\n +\| {13}) {6}\^/g,
    today: '$113$2^',
    reason: `${allowed}; a shorter one in the file`,
  },
  {
    recorded: /(element 1 of \\"allow\\"[\s\S]*?"column": ?)19/g,
    today: '$113',
    reason: `${allowed}; a shorter one in the file`,
  },
]

/** A recorded text with the words of today. */
export function inWordsOfToday(text: string, table: readonly Rename[] = wordTable): string {
  return table.reduce((words, { recorded, today }) => words.replaceAll(recorded, today), text)
}
