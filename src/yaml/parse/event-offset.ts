import { EVENT_ID, type Event, SCALAR_STYLE } from 'js-yaml'

/** Where a node starts in the text, its anchor, tag and quotes included; undefined for a node without any text. */
export function offsetOf(event: Event): number | undefined {
  switch (event.type) {
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1
    case EVENT_ID.SCALAR: {
      const isQuoted =
        event.style === SCALAR_STYLE.DOUBLE_QUOTED || event.style === SCALAR_STYLE.SINGLE_QUOTED
      return earliest(event.tagStart, event.anchorStart - 1, event.valueStart - (isQuoted ? 1 : 0))
    }
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return earliest(event.tagStart, event.anchorStart - 1, event.start)
    default:
      return undefined
  }
}

function earliest(...offsets: readonly number[]): number | undefined {
  const known = offsets.filter(offset => offset >= 0)
  return known.length > 0 ? Math.min(...known) : undefined
}
