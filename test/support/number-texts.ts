import fc from 'fast-check'

const digits = (least: number, most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most }).map(each => each.join(''))

const whole = fc.oneof(
  fc.constant('0'),
  fc.tuple(fc.integer({ min: 1, max: 9 }), digits(0, 25)).map(([first, rest]) => `${first}${rest}`),
)

/** A number as JSON writes it, of any size: ids beyond 2^53, many decimals, exponents. */
export const aNumberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    whole,
    fc.option(digits(1, 25), { nil: undefined }),
    fc.option(fc.integer({ min: -400, max: 400 }), { nil: undefined }),
  )
  .map(
    ([sign, before, after, exponent]) =>
      `${sign}${before}${after === undefined ? '' : `.${after}`}${exponent === undefined ? '' : `e${exponent}`}`,
  )
