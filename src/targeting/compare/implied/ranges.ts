/** One end of a range. */
interface Edge<Point> {
  readonly at: Point
  readonly isIncluded: boolean
}

/** What lies between two points, or all that does not; without an edge, it goes on for ever. */
export interface Range<Point> {
  readonly low?: Edge<Point>
  readonly high?: Edge<Point>
  readonly isOutside?: boolean
}

/** How points follow each other. Both say yes only where that is certain. */
export interface Scale<Point> {
  readonly isLess: (left: Point, right: Point) => boolean
  readonly isAtMost: (left: Point, right: Point) => boolean
}

export type Relation = 'eq' | 'gt' | 'gte' | 'lt' | 'lte'

/** What stands in a relation to a point. */
export function rangeBy<Point>(relation: Relation, at: Point): Range<Point> {
  const edge = { at, isIncluded: relation === 'eq' || relation.endsWith('e') }
  if (relation === 'eq') return { low: edge, high: edge }
  return relation.startsWith('g') ? { low: edge } : { high: edge }
}

/** Whether all of `inner` certainly lies in `outer`. */
export function isInside<Point>(inner: Range<Point>, outer: Range<Point>, scale: Scale<Point>): boolean {
  if (inner.isOutside) return outer.isOutside === true && isBetween(outer, inner, scale)
  return outer.isOutside ? haveGap(inner, outer, scale) : isBetween(inner, outer, scale)
}

/** Whether the two certainly have nothing in common. */
export function areApart<Point>(one: Range<Point>, other: Range<Point>, scale: Scale<Point>): boolean {
  if (one.isOutside) return !other.isOutside && isBetween(other, one, scale)
  return other.isOutside ? isBetween(one, other, scale) : haveGap(one, other, scale)
}

/** The same, by their edges alone. */
function isBetween<Point>(
  inner: Range<Point>,
  outer: Range<Point>,
  { isLess, isAtMost }: Scale<Point>,
): boolean {
  const reaches = (
    own: Edge<Point> | undefined,
    edge: Edge<Point> | undefined,
    ...[less, most]: Order<Point>
  ) =>
    edge === undefined ||
    (own !== undefined &&
      (less(edge.at, own.at) || ((edge.isIncluded || !own.isIncluded) && most(edge.at, own.at))))
  return (
    reaches(inner.low, outer.low, isLess, isAtMost) &&
    reaches(inner.high, outer.high, turned(isLess), turned(isAtMost))
  )
}

type Compare<Point> = (left: Point, right: Point) => boolean
type Order<Point> = readonly [less: Compare<Point>, most: Compare<Point>]

function turned<Point>(compare: Compare<Point>): Compare<Point> {
  return (left, right) => compare(right, left)
}

function haveGap<Point>(one: Range<Point>, other: Range<Point>, scale: Scale<Point>): boolean {
  return isBefore(one.high, other.low, scale) || isBefore(other.high, one.low, scale)
}

function isBefore<Point>(
  end: Edge<Point> | undefined,
  start: Edge<Point> | undefined,
  { isLess, isAtMost }: Scale<Point>,
): boolean {
  if (!end || !start) return false
  const touch = end.isIncluded && start.isIncluded
  return touch ? isLess(end.at, start.at) : isAtMost(end.at, start.at)
}
