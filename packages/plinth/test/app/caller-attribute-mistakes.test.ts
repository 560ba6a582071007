// Mistakes in rules and defaults that look at the user record of the caller stop the start.

import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { describe, expect, test } from 'vitest'
import { ref, text } from '../../src/core/model/fields.ts'
import { defineModule, defineResource } from '../../src/index.ts'
import { everyone, invoices, people, shops } from './trade.ts'

describe('mistakes in defaults', () => {
  const start = (usual: string, isReference: boolean): Promise<TestService> => {
    const field = isReference ? ref('shops', { default: usual }) : text({ default: usual })
    const things = defineResource('things', { about: 'x', fields: { field }, access: everyone })
    const odd = defineModule({ name: 'odd', about: 'x', resources: [shops, things, invoices], extensions: [people] })
    return startService('sqlite', { modules: [...modules, { ...odd, rules: { sameShop: 'true' } }] })
  }

  test.each([
    ['caller.user.shp', true, "default 'caller.user.shp': users has no field 'shp'; did you mean 'shop'?"],
    ['caller.user.username', true, "'username' is no reference, and the field refers to 'shops'"],
    ['caller.user.shop', false, "'shop' is no text"],
    ['caller.user.roles', true, "'roles' has several records"],
    ['caller.user.', true, "users has no field ''"],
  ])('%s stops the start', async (usual, isReference, message) => {
    await expect(start(usual, isReference)).rejects.toThrow(message)
  })
})

describe('mistakes in rules', () => {
  const start = (rules: Record<string, string>, read: string): Promise<TestService> => {
    const things = defineResource('things', { about: 'x', fields: { shop: ref('shops') }, rules, access: { read } })
    const odd = defineModule({ name: 'odd', about: 'x', resources: [shops, things, invoices], extensions: [people] })
    return startService('sqlite', { modules: [...modules, { ...odd, rules: { sameShop: 'true' } }] })
  }
  test.each([
    [{ mine: 'record.shop == caller.pk' }, 'mien', "there is no rule 'mien'; did you mean 'mine'?"],
    [{}, 'mine()', "there is no rule 'mine'; declare it in 'rules'"],
    [{ a: 'b', b: '!a' }, 'a', 'the rules lead back to where they begin: a → b → a'],
    [{ unused: 'record.shpo == caller.pk' }, 'true', "things has no field 'shpo'; did you mean 'shop'?"],
    [{}, 'record.shop == caller.user.shpo', "users has no field 'shpo'; did you mean 'shop'?"],
    [{}, 'record.shop.region == caller.user.shop.regoin', "shops has no field 'regoin'; did you mean 'region'?"],
    [{}, 'record.shop == caller.user', "'caller.user' alone is not allowed"],
    [{}, 'record.shop == caller.user.roles', "'roles' has several records"],
    [{}, 'record.shop.pk == caller.user.username.pk', "'username' is not a relation"],
  ])('%o in %s: %s', async (rules, read, message) => {
    await expect(start(rules as Record<string, string>, read)).rejects.toThrow(message)
  })
})
