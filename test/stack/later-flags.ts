import { Fn, TerraformCount, TerraformIterator, type TerraformStack, TerraformVariable, Token } from 'cdktf'
import { Flag, Role, Variants, When } from '../../src/constructs/own-constructs.ts'
import { growthRole, supportRole } from '../acceptance/support/configurations.ts'

/** Flags whose percentages, keys, variants and grants are known only once a plan is made, in each of the engine's forms. */
export function declareLaterFlags(stack: TerraformStack): void {
  const variable = (name: string, type: string, value: unknown) =>
    new TerraformVariable(stack, name, { type, default: value })
  const five = variable('five', 'number', 5)
  const steps = variable('steps', 'map(number)', { first: 7, second: 21.5 })
  const text = variable('text', 'string', '33')
  new Flag(stack, 'Later', {
    key: variable('later_key', 'string', 'later').value,
    name: variable('later_name', 'string', 'Known later').value,
    active: variable('later_active', 'bool', true).value,
    tags: variable('later_tags', 'list(string)', ['later', 'team-x']).value,
    variants: Variants.of({ bold: variable('bold', 'number', 40).value, plain: 60 }),
    release: [
      When.person('email')
        .contains('@example.com')
        .serve(variable('variant', 'string', 'bold').value),
      When.person('joined')
        .before(variable('day', 'string', '2024-01-31').value)
        .at(five.value),
      When.person('n').is('1').at(five.numberValue),
      When.person('n').is('2').at(Token.asNumber(five.value)),
      When.person('n')
        .is('3')
        .at(Fn.lookup(steps.value, 'first', 100)),
      When.person('n')
        .is('4')
        .at(Token.asAny(Fn.conditional(true, 12, 100)) as never),
      When.person('n')
        .is('5')
        .at(Fn.try([Fn.lookup(steps.value, 'second', 100), 100])),
      When.person('n').is('6').at(text.value),
      When.everyone()
        .at(five.value)
        .because(variable('why', 'string', 'a first step').value),
    ],
  })
  const shares = TerraformIterator.fromMap({
    east: { share: 2, role: supportRole },
    west: { share: 98, role: growthRole },
  })
  const each = new Flag(stack, 'EachLater', {
    forEach: shares,
    key: `later-${shares.key}`,
    active: true,
    release: [When.everyone().at(shares.getNumber('share')).because(shares.key)],
  })
  each.grants.edit(Role.fromId(shares.getString('role'), 'owner'))
  const numbers = TerraformIterator.fromMap({ one: 1, ten: 10 })
  new Flag(stack, 'NumberLater', {
    forEach: numbers,
    key: numbers.key,
    active: true,
    release: [When.everyone().at(numbers.value)],
  })
  const count = TerraformCount.of(2)
  new Flag(stack, 'CountLater', {
    count,
    key: `later-${Token.asString(count.index)}`,
    active: false,
    editors: [Role.fromId(supportRole, 'support')],
  })
}
