import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'

/** Whether what a file would say means what it has to mean. */
export type Means = (written: Json) => boolean

/**
 * What a file says, changed to mean something else: as much of it stays as it is written as does not stand in the way,
 * names and references among it. `wanted` means what is meant; what is not kept is as there. Members stay in the order of the
 * file where that is allowed.
 */
export function keepWritten(wanted: Json, written: Json | undefined, means: Means): Json {
  if (written === undefined) return wanted
  if (means(written)) return written
  if (isJsonObject(wanted) && isJsonObject(written)) return keepMembers(wanted, written, means)
  if (isJsonArray(wanted) && isJsonArray(written)) return keepElements(wanted, written, means)
  return wanted
}

function keepMembers(wanted: JsonObject, written: JsonObject, means: Means): JsonObject {
  const both = Object.keys(written).filter(name => Object.hasOwn(wanted, name))
  const first = Object.fromEntries(both.map(name => [name, wanted[name] ?? null]))
  const isInOrder =
    Object.keys(wanted)
      .filter(name => both.includes(name))
      .join('\n') === both.join('\n')
  const inOrder = isInOrder ? wanted : { ...first, ...wanted }
  let kept = means(inOrder) ? inOrder : wanted
  for (const name of both) {
    const around = kept
    const member = keepWritten(kept[name] ?? null, written[name], each => means({ ...around, [name]: each }))
    kept = { ...kept, [name]: member }
  }
  // What says nothing, such as an operator that is meant anyway.
  for (const [name, member] of Object.entries(written)) {
    const more = { ...kept, [name]: member }
    if (!Object.hasOwn(kept, name) && means(more)) kept = more
  }
  return kept
}

function keepElements(wanted: readonly Json[], written: readonly Json[], means: Means): Json {
  let kept = wanted
  for (const index of wanted.keys()) {
    const put = (element: Json) => kept.map((other, at) => (at === index ? element : other))
    const own = written[index]
    const others = kept.length * written.length > mostCompared ? [] : written.filter(each => each !== own)
    const same = [...(own === undefined ? [] : [own]), ...others].find(each => means(put(each)))
    const element = same ?? keepWritten(kept[index] ?? null, own, each => means(put(each)))
    kept = put(element)
  }
  return kept
}

/** So many pairs of elements are compared whatever their places; longer lists are compared place by place. */
const mostCompared = 400
