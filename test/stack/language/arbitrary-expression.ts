import fc from 'fast-check'

/** Expressions of all forms that are read, mostly such as mean something. */
export const arbitraryExpression: fc.Arbitrary<string> = fc.letrec<
  Record<'any' | 'taken' | 'text' | 'number' | 'bool' | 'list' | 'map', string>
>(tie => {
  const [any, text, number, bool, list, map] = [
    tie('any'),
    tie('text'),
    tie('number'),
    tie('bool'),
    tie('list'),
    tie('map'),
  ]
  const call = (names: readonly string[], ...given: fc.Arbitrary<string>[]) =>
    fc.tuple(fc.constantFrom(...names), ...given).map(([name, ...all]) => `${name}(${all.join(', ')})`)
  const binary = (signs: readonly string[], each: fc.Arbitrary<string>) =>
    fc.tuple(each, fc.constantFrom(...signs), each).map(([left, sign, right]) => `(${left} ${sign} ${right})`)
  const chosen = (each: fc.Arbitrary<string>, other = each) =>
    fc.tuple(bool, each, other).map(([condition, one, two]) => `(${condition} ? ${one} : ${two})`)
  const quoted = fc.string({ unit: fc.constantFrom('a', 'b', 'Z', ',', ' ', '1', 'é', '😀', '<', '$', '%') })
  const size = { maxLength: 3 }
  return {
    any: fc.oneof({ depthSize: 'small' }, text, number, bool, list, map, tie('taken'), fc.constant('null')),
    taken: fc.oneof(
      fc.tuple(map, text).map(([of, name]) => `${of}[${name}]`),
      fc.tuple(list, number).map(([of, index]) => `${of}[${index}]`),
      map.map(of => `${of}.a`),
    ),
    text: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      quoted.map(each => JSON.stringify(each)),
      fc.tuple(any, quoted).map(([each, rest]) => `"\${${each}}${rest}"`),
      call(['lower', 'upper', 'trimspace', 'strrev', 'tostring'], text),
      call(['jsonencode', 'tostring'], any),
      call(['join'], text, list),
      call(['trimprefix', 'trimsuffix', 'trim'], text, text),
      call(['replace'], text, text, text),
      call(['format'], fc.constantFrom('"%s-%v"', '"%v|%5v"', '"%d%%%s"', '"%.2f %q"'), any, any),
      call(['substr'], text, number, number),
      chosen(text),
    ),
    number: fc.oneof(
      { depthSize: 'small' },
      fc.integer({ min: -20, max: 1000 }).map(String),
      fc.constantFrom('0.1', '2.5', '1e3', '33.3', '12345678901234567890', '1e-7'),
      binary(['+', '-', '*', '/', '%'], number),
      call(['floor', 'ceil', 'abs', 'signum', 'tonumber'], number),
      call(['min', 'max'], number, number),
      call(['length'], any),
      call(['sum'], list),
      call(['tonumber'], text),
      chosen(number),
    ),
    bool: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('true', 'false'),
      binary(['<', '<=', '>', '>='], number),
      binary(['==', '!='], any),
      fc.tuple(bool, fc.constantFrom('&&', '||'), bool).map(([one, sign, two]) => `(${one} ${sign} ${two})`),
      bool.map(each => `!${each}`),
      call(['contains'], list, any),
      call(['startswith', 'endswith', 'strcontains'], text, text),
      call(['alltrue', 'anytrue'], list),
      call(['can'], any),
    ),
    list: fc.oneof(
      { depthSize: 'small' },
      fc.array(number, size).map(each => `[${each.join(', ')}]`),
      fc.array(text, size).map(each => `[${each.join(', ')}]`),
      fc.array(any, size).map(each => `[${each.join(', ')}]`),
      call(['tolist', 'toset', 'distinct', 'reverse', 'flatten', 'sort', 'compact'], list),
      call(['concat', 'setunion', 'setintersection', 'setsubtract'], list, list),
      call(['keys', 'values'], map),
      call(['split'], text, text),
      call(['range'], number),
      call(['slice'], list, number, number),
      chosen(list),
    ),
    map: fc.oneof(
      { depthSize: 'small' },
      fc
        .array(fc.tuple(fc.constantFrom('a', 'b', '"c d"'), any), size)
        .map(each => `{${each.map(([name, value]) => `${name} = ${value}`).join(', ')}}`),
      fc.tuple(text, any).map(([name, value]) => `{ (${name}) = ${value} }`),
      call(['tomap'], map),
      call(['merge'], map, map),
      call(['zipmap'], list, list),
      chosen(map),
    ),
  }
}).any
