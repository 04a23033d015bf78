import type { PageChange, PageEvaluation, PageFlag, PageState } from '../../sandbox/index.ts'
import { barMarkup, html, type Markup, type Part } from './details-markup.ts'

/**
 * The script of the page of `vexil dev` and `vexil sandbox`. It asks for the state each second, and shows what has
 * changed. All text gets into the page through `html`, which escapes it.
 */
const pollMs = 1000

function byId<E extends HTMLElement>(id: string, is: new () => E): E {
  const found = document.getElementById(id)
  if (found instanceof is) return found
  throw new TypeError(`the page has no ${id}`)
}

function show(id: string, content: Part): void {
  byId(id, HTMLElement).innerHTML = html`${content}`.text
}

let state: PageState | undefined
let flags: readonly PageFlag[] = []
let evaluation: PageEvaluation | undefined
/** The latest question about a person; older answers are dropped. */
let asked = 0

async function poll(): Promise<void> {
  try {
    const response = await fetch(`/_sandbox/page?since=${state?.revision ?? ''}`)
    if (!response.ok) throw new Error(response.statusText)
    await showState((await response.json()) as PageState)
    byId('lost', HTMLElement).hidden = true
  } catch {
    byId('lost', HTMLElement).hidden = false
  }
  setTimeout(poll, pollMs)
}

async function showState(next: PageState): Promise<void> {
  const before = state
  state = next
  const { mistakes, requests, token } = next
  if (before === undefined) show('token', token)
  if (JSON.stringify(before?.mistakes) !== JSON.stringify(mistakes)) showMistakes(mistakes)
  if (before?.requests[0]?.at !== requests[0]?.at || before?.requests.length !== requests.length)
    showRequests(requests)
  if (next.changes) showChanges(next.changes)
  const areNew = next.flags !== undefined || JSON.stringify(before?.set) !== JSON.stringify(next.set)
  flags = next.flags ?? flags
  if (next.flags && evaluation) await evaluate()
  else if (areNew) showFlags()
}

function showMistakes(mistakes: PageState['mistakes']): void {
  byId('mistakes', HTMLElement).hidden = mistakes.length === 0
  show(
    'mistake-list',
    mistakes.map(({ place, message }) => {
      const where = place === undefined ? undefined : html`<code>${place}</code> `
      return html`<li>${where}${message}</li>`
    }),
  )
}

function showRequests(requests: PageState['requests']): void {
  byId('no-requests', HTMLElement).hidden = requests.length > 0
  show(
    'requests',
    requests.map(
      ({ at, method, path, status, sdk, about }) =>
        html`<li><time>${timeText(at)}</time> <b class="${status < 400 ? 'good' : 'bad'}">${status}</b> <code>${method} ${path}</code><span class="quiet">${[sdk, about].filter(text => text !== '').join(' · ')}</span></li>`,
    ),
  )
}

function showChanges(changes: readonly PageChange[]): void {
  byId('no-changes', HTMLElement).hidden = changes.length > 0
  show(
    'changes',
    changes.map(
      ({ at, who, flag, what }) =>
        html`<li><time>${timeText(at)}</time> <b>${flag}</b> ${what} <span class="quiet">${who}</span></li>`,
    ),
  )
}

function timeText(at: number): string {
  return new Date(at).toLocaleTimeString()
}

function showFlags(): void {
  const open = new Set(items().flatMap(item => (item.open ? (item.dataset.key ?? '') : [])))
  const focused = document.activeElement?.closest<HTMLElement>('details.flag')?.dataset.key
  const control = document.activeElement?.getAttribute('data-control')
  show(
    'flags',
    flags.map(flag => flagMarkup(flag, open.has(flag.key))),
  )
  const again = items().find(({ dataset }) => dataset.key === focused)
  const part = control ? again?.querySelector<HTMLElement>(`[data-control="${control}"]`) : undefined
  ;(part ?? again?.querySelector('summary'))?.focus()
  filter()
}

function items(): HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>('details.flag')]
}

function flagMarkup(flag: PageFlag, isOpen: boolean): Markup {
  const { key, name, active, tags } = flag
  const set = state?.set[key]
  const got = evaluation?.[key]
  const chips: Part[] = [
    html`<span class="chip ${active ? 'good' : 'quiet'}">${active ? 'on' : 'off'}</span>`,
    ...(set === undefined ? [] : [html`<span class="chip caution">set to ${String(set)}</span>`]),
    ...tags.map(tag => html`<span class="chip">${tag}</span>`),
  ]
  const value =
    got && html`<span class="got ${got.value === false ? 'quiet' : 'good'}">${valueText(got)}</span>`
  return html`<details class="flag" data-key="${key}" data-words="${[key, name, ...tags].join(' ').toLowerCase()}"${isOpen ? html` open` : undefined}>
<summary><b>${key}</b> ${chips}${value}<span class="brief quiet">${briefOf(flag)}</span></summary>
<div class="inner">${name === '' ? undefined : html`<p class="quiet">${name}</p>`}
${got && html`<p>${becauseOf(got)}</p>`}
<ol class="conditions">${flag.conditions.map((_, at) => conditionMarkup(flag, at))}</ol>
${flag.variants.length === 0 ? undefined : html`<p>Variants: ${flag.variants.map(({ key: variant, share }) => `${variant} ${share}`).join(', ')}</p>`}
${got?.payload === undefined ? undefined : html`<p>Payload: <code>${JSON.stringify(got.payload)}</code></p>`}
${state?.canEdit ? html`<p><button type="button" data-control="switch">${active ? 'Turn off' : 'Turn on'}</button> <output class="bad"></output></p>` : undefined}
</div></details>`
}

function briefOf({ conditions }: PageFlag): string {
  const [first] = conditions
  if (!first) return 'nobody'
  const more = conditions.length > 1 ? `, and ${conditions.length - 1} more` : ''
  return `${first.people} at ${first.share}${more}`
}

type Got = PageEvaluation[string]

function valueText({ value, undecided }: Got): string {
  if (undecided !== undefined) return 'undecided'
  return typeof value === 'string' ? value : value ? 'gets it' : 'does not get it'
}

function becauseOf({ reason, conditionIndex, undecided, differs = [] }: Got): Part {
  const condition = `condition ${(conditionIndex ?? 0) + 1}`
  const words: Record<Got['reason'], string> = {
    condition_match: `Because of ${condition}.`,
    no_condition_match: 'No condition matches.',
    out_of_rollout_bound: `Not in the share of ${condition}.`,
    no_group_type: 'The flag is for groups, and no group of that type is given.',
    disabled: 'The flag is off.',
    super_condition_value: "The person's choice about the early access feature decides.",
    holdout_condition_value: 'The person is held out of the experiment.',
  }
  const others = differs.map(
    ({ engine, value }) => html`<br><span class="caution">${engine} gives ${String(value)}</span>`,
  )
  return html`${undecided ?? words[reason]}${others}`
}

const resultWords = {
  matched: ['good', 'matched'],
  not_in_share: ['caution', 'not in the share'],
  not_matched: ['quiet', 'not matched'],
  undecided: ['caution', 'undecided'],
} as const

function conditionMarkup({ key, conditions }: PageFlag, at: number): Markup | undefined {
  const condition = conditions[at]
  if (!condition) return undefined
  const { people, share, variant } = condition
  const result = evaluation?.[key]?.conditions.find(({ index }) => index === at)
  const [tone, word] = result ? resultWords[result.is] : ['', '']
  const percent = Number.parseFloat(share)
  const input = state?.canEdit
    ? html`<label><span class="unseen">Share of condition ${at + 1}</span><input type="number" min="0" max="100" step="any" value="${percent}" data-control="share-${at}" data-condition="${at}"> %</label>`
    : html`<span class="share">${share}</span>`
  return html`<li><span class="people">${people}</span> ${barMarkup({ sure: people === 'everyone' ? percent : 0, most: percent })} ${input}${variant === undefined ? undefined : html` <span class="chip">${variant}</span>`}${result && html` <b class="${tone}">${word}${result.why === undefined ? undefined : `: ${result.why}`}</b>`}</li>`
}

async function post(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Asks what the typed person gets; without an id, nothing is asked. */
async function evaluate(): Promise<void> {
  asked += 1
  const own = asked
  const id = byId('person', HTMLInputElement).value.trim()
  const problem = byId('person-problem', HTMLElement)
  if (id === '') evaluation = undefined
  else {
    const groups = assignments('groups')
    const response = await post('/_sandbox/page/evaluate', {
      distinct_id: id,
      person_properties: valuesIn(assignments('properties')),
      groups: Object.fromEntries(groups.filter(([name]) => !name.includes('.'))),
      group_properties: groupProperties(groups),
    })
    if (own !== asked) return
    problem.textContent = response.ok ? '' : `The server answered ${response.status}.`
    evaluation = response.ok ? ((await response.json()) as PageEvaluation) : undefined
  }
  showFlags()
}

type Assignments = readonly (readonly [name: string, value: string])[]

/** The lines `name=value` of a field. */
function assignments(id: string): Assignments {
  return byId(id, HTMLTextAreaElement)
    .value.split('\n')
    .flatMap(line => {
      const [, name, value] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    })
}

/** JSON where a value is JSON, else text. */
function valuesIn(assigned: Assignments): Record<string, unknown> {
  return Object.fromEntries(
    assigned.map(([name, value]) => {
      try {
        return [name, JSON.parse(value)]
      } catch {
        return [name, value]
      }
    }),
  )
}

/** `company.size=500` is a property of the group of type company. */
function groupProperties(assigned: Assignments): Record<string, Record<string, unknown>> {
  const types = new Set(assigned.map(([name]) => name.split('.')[0] ?? ''))
  return Object.fromEntries(
    [...types].map(type => {
      const own = assigned.filter(([name]) => name.startsWith(`${type}.`))
      return [type, valuesIn(own.map(([name, value]) => [name.slice(type.length + 1), value]))]
    }),
  )
}

async function change(control: HTMLElement): Promise<void> {
  const item = control.closest<HTMLElement>('details.flag')
  const flag = flags.find(({ key }) => key === item?.dataset.key)
  if (!item || !flag) return
  const { key } = flag
  const share = control instanceof HTMLInputElement ? control.valueAsNumber : Number.NaN
  if (control instanceof HTMLInputElement && !(share >= 0 && share <= 100)) return
  const { condition } = control.dataset
  const body =
    condition === undefined ? { key, active: !flag.active } : { key, condition: Number(condition), share }
  const response = await post('/_sandbox/page/change', body)
  if (response.ok) return
  const { detail = 'refused' } = (await response.json()) as { detail?: string }
  const output = item.querySelector('output')
  if (output) output.textContent = detail
}

/** Shows the flags that contain every typed word. */
function filter(): void {
  const words = byId('find', HTMLInputElement).value.toLowerCase().split(/\s+/)
  const all = items()
  for (const item of all) item.hidden = !words.every(word => item.dataset.words?.includes(word))
  const shown = all.filter(item => !item.hidden).length
  show('count', shown === all.length ? `${all.length} flags` : `${shown} of ${all.length} flags`)
}

function move(step: 1 | -1): void {
  const shown = items().filter(item => !item.hidden)
  const at = shown.findIndex(item => item.contains(document.activeElement))
  const next = at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + step))
  shown[next]?.querySelector('summary')?.focus()
}

const keys: Readonly<Record<string, () => void>> = {
  '/': () => byId('find', HTMLInputElement).focus(),
  p: () => byId('person', HTMLInputElement).focus(),
  j: () => move(1),
  k: () => move(-1),
}

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const { target, key } = event
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) {
    if (key === 'Escape') target.blur()
    return
  }
  const act = Object.hasOwn(keys, key) ? keys[key] : undefined
  if (!act) return
  event.preventDefault()
  act()
})
byId('tools', HTMLFormElement).addEventListener('submit', event => event.preventDefault())
byId('find', HTMLInputElement).addEventListener('input', filter)
byId('who', HTMLElement).addEventListener('input', () => void evaluate())
byId('flags', HTMLElement).addEventListener('click', event => {
  const button = event.target instanceof HTMLElement ? event.target.closest('button') : undefined
  if (button) void change(button)
})
byId('flags', HTMLElement).addEventListener('change', event => {
  if (event.target instanceof HTMLInputElement) void change(event.target)
})
void poll()
