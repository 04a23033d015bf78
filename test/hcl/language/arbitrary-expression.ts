import fc from 'fast-check'

type Kind = 'any' | 'taken' | 'text' | 'number' | 'bool' | 'list' | 'map' | 'words' | 'date'

/** Expressions of all forms and with all functions that are worked out, mostly such as mean something. */
export const arbitraryExpression: fc.Arbitrary<string> = fc.letrec<Record<Kind, string>>(tie => {
  const [any, taken, text, number, bool, list, map, words, date] = [
    tie('any'),
    tie('taken'),
    tie('text'),
    tie('number'),
    tie('bool'),
    tie('list'),
    tie('map'),
    tie('words'),
    tie('date'),
  ]
  const call = (names: readonly string[], ...given: fc.Arbitrary<string>[]) =>
    fc.tuple(fc.constantFrom(...names), ...given).map(([name, ...all]) => `${name}(${all.join(', ')})`)
  const binary = (signs: readonly string[], each: fc.Arbitrary<string>) =>
    fc.tuple(each, fc.constantFrom(...signs), each).map(([left, sign, right]) => `(${left} ${sign} ${right})`)
  const chosen = (each: fc.Arbitrary<string>, other = each) =>
    fc.tuple(bool, each, other).map(([condition, one, two]) => `(${condition} ? ${one} : ${two})`)
  const letters = fc.constantFrom('a', 'b', 'Z', ',', ' ', '1', 'é', '😀', '<', '$', '%', '-', '/', '\n')
  const quoted = fc.string({ unit: letters, maxLength: 8 })
  const small = fc.integer({ min: -2, max: 9 }).map(String)
  const constant = (...all: readonly string[]) => fc.constantFrom(...all)
  const encoding = constant('"UTF-16LE"', '"utf-8"', '"ISO-8859-1"', '"UTF-16BE"')
  const size = { maxLength: 3 }
  const pattern = constant(
    ...[
      '"[a-z]+"',
      '"(a)(b)?"',
      '"(?P<k>\\\\w)"',
      '".*"',
      '"\\\\d"',
      '"(?i)z"',
      '"^a|b$"',
      '"x*"',
      '"[^,]"',
      '"("',
    ],
  )
  const strip = constant('', '~')
  return {
    any: fc.oneof({ depthSize: 'small' }, text, number, bool, list, map, taken, constant('null')),
    taken: fc.oneof(
      fc.tuple(map, text).map(([of, name]) => `${of}[${name}]`),
      fc.tuple(list, number).map(([of, index]) => `${of}[${index}]`),
      map.map(of => `${of}.a`),
      fc.tuple(list, constant('[*]', '.*', '[*].a', '.*.a', '[*][0]')).map(([of, splat]) => `${of}${splat}`),
      any.map(of => `${of}[*]`),
      call(['one'], list),
      call(
        ['one'],
        any.map(each => `[${each}]`),
      ),
      call(['try'], any, any),
      call(['try'], taken, any),
      call(['ephemeralasnull'], any),
      any.map(each => `nonsensitive(sensitive(${each}))`),
    ),
    text: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      quoted.map(each => JSON.stringify(each)),
      fc.tuple(any, quoted).map(([each, rest]) => `"\${${each}}${rest.replace(/\n/g, '\\n')}"`),
      fc
        .tuple(bool, strip, strip, text, text)
        .map(
          ([condition, open, close, one, two]) =>
            `"<%{${open} if ${condition} ${close}} \${${one}} %{ else ${open}} \${${two}} %{${close} endif }>"`,
        ),
      fc
        .tuple(list, strip, strip)
        .map(
          ([of, open, close]) =>
            `"%{ for i, x in ${of} ${open}} \${i}=\${x},\\n%{${close} endfor ${open}} end"`,
        ),
      call(['lower', 'upper', 'trimspace', 'strrev', 'tostring', 'title', 'chomp'], text),
      call(['base64encode', 'base64decode', 'urlencode'], text),
      call(['md5', 'sha1', 'sha256', 'sha512', 'base64sha256', 'base64sha512'], text),
      call(['basename', 'dirname', 'pathexpand', 'abspath'], text),
      call(['jsonencode', 'tostring', 'yamlencode'], any),
      call(['uuidv5'], constant('"dns"', '"url"', '"oid"'), text),
      call(['textencodebase64'], text, encoding),
      fc
        .tuple(text, encoding, encoding)
        .map(([of, one, two]) => `textdecodebase64(textencodebase64(${of}, ${one}), ${two})`),
      call(['join'], text, list),
      call(['indent'], small, text),
      call(['trimprefix', 'trimsuffix', 'trim'], text, text),
      call(['replace'], text, text, text),
      fc
        .tuple(
          text,
          constant('[a-z]', '(a|b)', 'x*', '\\\\s+', '^', 'é?'),
          constant('<$1>', '-', '$0$0', '$$'),
        )
        .map(([of, from, to]) => `replace(${of}, "/${from}/", ${JSON.stringify(to)})`),
      call(
        ['format'],
        constant(
          '"%s-%v"',
          '"%v|%5v"',
          '"%d%%%s"',
          '"%.2f %q"',
          '"%-6s|%06d"',
          '"%[2]v %[1]v"',
          '"%#v %x"',
          '"%e|%g"',
          '"%08.3f|%+d"',
          '"%t %o"',
          '"%.3s|%b"',
        ),
        any,
        any,
      ),
      call(['substr'], text, number, number),
      call(['cidrhost'], constant('"10.0.0.0/8"', '"fd00::/64"', '"192.168.1.0/28"'), small),
      call(['cidrsubnet'], constant('"10.0.0.0/8"', '"fd00::/48"'), small, small),
      call(
        ['cidrnetmask'],
        constant('"10.0.0.0/8"', '"172.16.5.4/12"', '"192.168.1.0/32"', '"fd00::/48"', '"x"'),
      ),
      call(['regex'], pattern, text),
      date,
      chosen(text),
    ),
    date: fc.oneof(
      constant(
        '"2026-11-22T01:02:03Z"',
        '"2024-02-29T23:59:59.5+05:30"',
        '"1999-12-31T12:00:00-08:00"',
        '"x"',
      ),
      fc
        .tuple(date, constant('1h', '-90m', '1.5s', '36h15m', '1x', '250ms'))
        .map(([of, time]) => `timeadd(${of}, "${time}")`),
      fc
        .tuple(
          constant(
            'YYYY-MM-DD',
            'EEE, DD MMM YY',
            "hh:mm 'o''clock' aa",
            'HH AA ZZZZ',
            'Z ZZZ ZZZZZ',
            'MMMM D h m s',
            'Q',
          ),
          date,
        )
        .map(([form, of]) => `formatdate("${form}", ${of})`),
    ),
    number: fc.oneof(
      { depthSize: 'small' },
      fc.integer({ min: -20, max: 1000 }).map(String),
      constant('0.1', '2.5', '1e3', '33.3', '12345678901234567890', '1e-7', '-0'),
      binary(['+', '-', '*', '/', '%'], number),
      call(['floor', 'ceil', 'abs', 'signum', 'tonumber'], number),
      call(['min', 'max'], number, number),
      call(['pow'], number, small),
      call(['log'], number, constant('10', '2', '3.5')),
      call(
        ['parseint'],
        constant('"12"', '"ff"', '"-7"', '"zz"', '"1010"'),
        constant('2', '8', '10', '16', '36', '62'),
      ),
      call(['length'], any),
      call(['index'], words, constant('"a"', '"b"', '"é"')),
      call(['index'], list, any),
      call(['sum'], list),
      call(['timecmp'], date, date),
      call(['tonumber'], text),
      chosen(number),
    ),
    bool: fc.oneof(
      { depthSize: 'small' },
      constant('true', 'false'),
      binary(['<', '<=', '>', '>='], number),
      binary(['==', '!='], any),
      fc.tuple(bool, constant('&&', '||'), bool).map(([one, sign, two]) => `(${one} ${sign} ${two})`),
      bool.map(each => `!${each}`),
      call(['contains'], list, any),
      call(['startswith', 'endswith', 'strcontains'], text, text),
      call(['alltrue', 'anytrue'], list),
      call(['can'], any),
      call(['tobool'], constant('"true"', '"false"', '"yes"', '1', 'null', 'true')),
      any.map(each => `issensitive(sensitive(${each}))`),
      call(['issensitive'], any),
    ),
    words: fc.array(constant('a', 'b', 'c', 'é', 'Zz', ''), size).map(each => JSON.stringify(each)),
    list: fc.oneof(
      { depthSize: 'small' },
      words,
      fc.array(number, size).map(each => `[${each.join(', ')}]`),
      fc.array(text, size).map(each => `[${each.join(', ')}]`),
      fc.array(any, size).map(each => `[${each.join(', ')}]`),
      fc.tuple(list, any).map(([of, each]) => `[for x in ${of} : ${each}]`),
      list.map(of => `[for i, x in ${of} : [i, x]]`),
      fc.tuple(map, bool).map(([of, condition]) => `[for k, v in ${of} : k if ${condition}]`),
      fc
        .tuple(list, constant('x != null', 'x == "a"', 'length("${x}") > 1'))
        .map(([of, condition]) => `[for x in ${of} : x if ${condition}]`),
      call(['tolist', 'toset', 'distinct', 'reverse', 'flatten', 'sort', 'compact'], list),
      call(
        ['concat', 'setunion', 'setintersection', 'setsubtract', 'setproduct', 'coalescelist'],
        list,
        list,
      ),
      call(['chunklist'], list, small),
      call(['matchkeys'], words, words, words),
      call(['keys', 'values'], map),
      call(['split'], text, text),
      call(['regexall'], pattern, text),
      call(['range'], number),
      call(['slice'], list, number, number),
      call(['slice'], list, constant('0', '1'), constant('1', '2', '3')),
      call(['formatlist'], constant('"%s"', '"%v!"', '"%03d"'), list),
      call(['cidrsubnets'], constant('"10.0.0.0/8"', '"fd00::/56"'), small, small),
      constant('csvdecode("a,b\\n1,2\\n\\"x, y\\",z")'),
      chosen(list),
    ),
    map: fc.oneof(
      { depthSize: 'small' },
      fc
        .array(fc.tuple(constant('a', 'b', '"c d"'), any), size)
        .map(each => `{${each.map(([name, value]) => `${name} = ${value}`).join(', ')}}`),
      fc.tuple(text, any).map(([name, value]) => `{ (${name}) = ${value} }`),
      fc.tuple(list, any).map(([of, each]) => `{ for i, x in ${of} : i => ${each} }`),
      words.map(of => `{ for x in ${of} : x => upper(x)... }`),
      words.map(of => `{ for x in ${of} : x => x }`),
      map.map(of => `{ for k, v in ${of} : upper(k) => v }`),
      call(['tomap'], map),
      call(['merge'], map, map),
      call(['zipmap'], list, list),
      fc.tuple(words, words).map(([one, two]) => `transpose({ p = ${one}, q = ${two} })`),
      any.map(each => `yamldecode(yamlencode(${each}))`),
      any.map(each => `jsondecode(jsonencode(${each}))`),
      chosen(map),
    ),
  }
}).any
