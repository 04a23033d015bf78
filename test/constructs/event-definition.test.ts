import { TerraformVariable } from 'cdktf'
import { Construct } from 'constructs'
import { describe, expect, it } from 'vitest'
import { EventDefinition } from '../../src/constructs/own-constructs.ts'
import { aStack, synthesized } from './a-stack.ts'

describe('EventDefinition', () => {
  it('is the same one wherever a stack names the event', () => {
    const stack = aStack()
    const paid = EventDefinition.named(stack, 'paid').tag('billing', 'core')
    expect(EventDefinition.named(new Construct(stack, 'Team'), 'paid').tag('core', 'pay').postToChat()).toBe(
      paid,
    )
    expect(synthesized(stack).resource.vexil_event_definition).toEqual({
      paid: { name: 'paid', tags: ['billing', 'core', 'pay'], post_to_chat: true },
    })
  })

  it('is declared with all that it has', () => {
    const stack = aStack()
    new EventDefinition(stack, 'Paid', {
      name: 'paid',
      tags: ['billing'],
      postToChat: false,
      onDestroy: 'restore',
      projectId: '2',
    })
    expect(synthesized(stack).resource.vexil_event_definition).toEqual({
      'paid--2': {
        name: 'paid',
        tags: ['billing'],
        post_to_chat: false,
        on_destroy: 'restore',
        project_id: '2',
      },
    })
  })

  it('adds labels to those that are known only once a plan is made', () => {
    const stack = aStack()
    const tags = new TerraformVariable(stack, 'tags', { type: 'list(string)' }).listValue
    new EventDefinition(stack, 'Paid', { name: 'paid', tags }).tag('pay')
    expect(synthesized(stack).resource.vexil_event_definition.paid.tags).toBe('${concat(var.tags, ["pay"])}')
  })

  it.each([
    ['tag', (event: EventDefinition) => event.tag('late')],
    ['postToChat', (event: EventDefinition) => event.postToChat()],
  ] as const)('refuses %s once its stack is synthesized, where it would be lost', (method, change) => {
    const stack = aStack()
    const event = new EventDefinition(stack, 'Paid', { name: 'paid' })
    synthesized(stack)
    expect(() => change(event)).toThrow(
      `event "paid" at "flags/Paid": ${method}(...) was called after its stack was synthesized, or after its aspects ran: call it before app.synth()`,
    )
  })

  it('says which event has a tag that is none', () => {
    const paid = new EventDefinition(aStack(), 'Paid', { name: 'paid' })
    expect(() => paid.tag('t'.repeat(256))).toThrow(/^event "paid" at "flags\/Paid": /)
  })

  it('refuses an empty name', () => {
    expect(() => EventDefinition.named(aStack(), ' ')).toThrow('event " " at "flags/ ": the name is empty')
  })
})
