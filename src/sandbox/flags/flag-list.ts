import { isJsonArray, isJsonObject } from '../../model/json/json.ts'
import { parseJson } from '../http/read-body.ts'
import { invalid } from '../http/refusal.ts'
import type { ProjectCall } from '../resource/resource.ts'
import type { FlagRow } from '../store/rows.ts'
import { canSee } from './flag-policies.ts'

type Keeps = (flag: FlagRow) => boolean

/** The flags in a list, if not all. */
export function listedFlags(
  call: ProjectCall,
  all: () => readonly FlagRow[],
): readonly FlagRow[] | undefined {
  const keeping = [...hiding(call), ...asking(call)]
  return keeping.length === 0 ? undefined : all().filter(flag => keeping.every(keeps => keeps(flag)))
}

/** Flags that a list omits by default, although they occupy their keys. */
function hiding(call: ProjectCall): readonly Keeps[] {
  const { store, quirks, project, url } = call
  const archived = url.searchParams.get('archived') === 'true'
  return [
    ...(quirks.survey_flags === 'hidden' && store.surveyFlags.count(project.id) > 0
      ? [(flag: FlagRow) => !flag.survey_targeting]
      : []),
    ...(quirks.flag_fields === '2026' ? [(flag: FlagRow) => (flag.archived ?? false) === archived] : []),
    ...(quirks.grants_route !== 'role_access' && store.accessOfProject.count(project.id) > 0
      ? [(flag: FlagRow) => canSee(call, flag)]
      : []),
  ]
}

/** The filters in the query. Unknown ones are ignored. [service-today 1] */
function asking({ quirks, url }: ProjectCall): readonly Keeps[] {
  if (quirks.flag_list_query === 'ignored') return []
  const query = quirks.flag_list_query === 'taken' ? { ...filters, key: byKey } : filters
  return Object.entries(query).flatMap(([name, filter]) => {
    const value = url.searchParams.get(name)
    return value === null || value === '' ? [] : [filter(value)]
  })
}

const byKey =
  (value: string): Keeps =>
  flag =>
    flag.key.toLowerCase() === value.toLowerCase()

const filters: Readonly<Record<string, (value: string) => Keeps>> = {
  // No flag is stale here.
  active: value => flag => value !== 'STALE' && flag.active === (value === 'true'),
  created_by_id: value => flag => String(flag.created_by) === value,
  search(value) {
    if (value.length > 200) throw invalid('search', 'A search has at most 200 characters.')
    const words = value.toLowerCase()
    return flag => [flag.key, flag.name].some(text => text.toLowerCase().includes(words))
  },
  type: value => flag =>
    value === 'boolean' ? !hasVariants(flag) : value !== 'multivariant' || hasVariants(flag),
  evaluation_runtime: value => flag => (flag.evaluation_runtime ?? 'all') === value,
  tags: value => flag => textsIn(value).some(tag => flag.tags.includes(tag)),
  excluded_tags: value => flag => !textsIn(value).some(tag => flag.tags.includes(tag)),
}

function hasVariants({ filters: { multivariate } }: FlagRow): boolean {
  return isJsonObject(multivariate) && isJsonArray(multivariate.variants) && multivariate.variants.length > 0
}

/** A list of texts as JSON. */
function textsIn(value: string): readonly string[] {
  const list = parseJson(value)
  return isJsonArray(list) ? list.map(String) : []
}
