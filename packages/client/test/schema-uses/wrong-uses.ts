// Uses of a resource that must not compile.

import type { UsedRelation, UsedResource, WrongUse } from './used-resource.ts'

const use = (code: string, named: string): WrongUse => ({ code, named })

const ofFields = ({ name, text, number }: UsedResource): readonly WrongUse[] => {
  const at = `client.${name}`
  return [
    use(`(await ${at}.get('1')).${text}x`, `'${text}x'`),
    use(`(await ${at}.get('1')).${text}.toFixed()`, "'toFixed'"),
    use(`(await ${at}.get('1')).${text} = 'A'`, `'${text}'`),
    use(`(await ${at}.get('1', { fields: ['${number.name}'] })).${text}`, `'${text}'`),
    use(`${at}.get(1)`, "'number'"),
    use(`${at}.get('1', { fields: ['${text}x'] })`, `"${text}x"`),
    use(`${at}.get('1', { include: ['${text}'] })`, `"${text}"`),
    use(`${at}.get('1', { includes: [] })`, "'includes'"),
    use(`${at}.getMany('1')`, "'string'"),
    use(`${at}x.find()`, `'${name}x'`),
    use(`client.resource('${name}x')`, `"${name}x"`),
  ]
}

const ofQueries = ({ name, text, number }: UsedResource): readonly WrongUse[] => {
  const at = `client.${name}`
  const where = (condition: string): string => `${at}.find({ where: { ${condition} } })`
  return [
    use(where(`${text}x: 'A'`), `'${text}x'`),
    use(where(`${number.name}: '1'`), "'string'"),
    use(where(`${number.name}: { like: '1*' }`), "'string'"),
    use(where(`${number.name}: { above: 1 }`), "'above'"),
    use(where(`${number.name}: { between: [1] }`), "'[number]'"),
    use(where(`${text}: { in: 'A' }`), "'string'"),
    use(where(`or: { ${text}: 'A' }`), `'${text}'`),
    use(where(`not: { ${text}x: 'A' }`), `'${text}x'`),
    use(`${at}.count({ where: { ${text}x: 'A' } })`, `'${text}x'`),
    use(`${at}.find({ wher: {} })`, "'wher'"),
    use(`${at}.find({ sort: '${text}x' })`, `"${text}x"`),
    use(`${at}.find({ sort: '+${text}' })`, `"+${text}"`),
    use(`${at}.find({ limit: '10' })`, "'string'"),
    use(`${at}.find({ total: 'all' })`, '"all"'),
    use(`${at}.aggregate({ sum: ['${text}'] })`, `"${text}"`),
    use(`${at}.aggregate({ group: ['${text}x'], count: true })`, `"${text}x"`),
    use(`(await ${at}.aggregate({ count: true }))[0]?.sum`, "'sum'"),
  ]
}

const ofWrites = ({ name, text, create }: UsedResource): readonly WrongUse[] => {
  const at = `client.${name}`
  return [
    use(`${at}.create({})`, "'{}'"),
    use(`${at}.create({ ...${create}, ${text}x: 'A' })`, `'${text}x'`),
    use(`${at}.create({ ...${create}, ${text}: 7 })`, "'number'"),
    use(`${at}.createMany(${create})`, "'readonly"),
    use(`${at}.update('1', { ${text}x: 'A' })`, `'${text}x'`),
    use(`${at}.update('1', { ${text}: 7 })`, "'number'"),
    use(`${at}.update('1', { version: 7 })`, "'version'"),
    use(`${at}.remove(1)`, "'number'"),
    use(`client.atomic(operations => void operations.create('${name}', {}))`, "'{}'"),
    use(`client.atomic(operations => operations.update('${name}', '1', { ${text}x: 'A' }))`, `'${text}x'`),
  ]
}

const ofOne = ({ name, text }: UsedResource, one: UsedRelation): readonly WrongUse[] => {
  const at = `client.${name}`
  return [
    use(`(await ${at}.get('1')).${one.name}?.version`, "'version'"),
    use(`(await ${at}.get('1', { include: ['${one.name}'] })).${one.name}?.${one.field.name}x`, `'${one.field.name}x'`),
    use(`${at}.get('1', { include: ['${one.name}x'] })`, `"${one.name}x"`),
    use(`${at}.find({ where: { ${one.name}: { ${one.field.name}x: 'A' } } })`, `'${one.field.name}x'`),
    use(`${at}.find({ where: { ${one.name}: 7 } })`, "'number'"),
    use(`${at}.find({ sort: '${one.name}.${one.field.name}x' })`, `"${one.name}.${one.field.name}x"`),
    use(`${at}.related('1', '${text}')`, `"${text}"`),
    use(`(await ${at}.related('1', '${one.name}'))?.${one.field.name}x`, `'${one.field.name}x'`),
  ]
}

const ofMany = ({ name, text }: UsedResource, many: UsedRelation): readonly WrongUse[] => {
  const at = `client.${name}`
  return [
    use(`(await ${at}.get('1')).${many.name}`, `'${many.name}'`),
    use(`${at}.find({ sort: '${many.name}.${many.field.name}' })`, `"${many.name}.${many.field.name}"`),
    use(`${at}.find({ where: { ${many.name}: { ${many.field.name}x: 'A' } } })`, `'${many.field.name}x'`),
    use(`${at}.related('1', '${many.name}')`, `"${many.name}"`),
    use(`${at}.relatedMany('1', '${text}')`, `"${text}"`),
    use(`(await ${at}.relatedMany('1', '${many.name}')).items[0]?.${many.field.name}x`, `'${many.field.name}x'`),
    use(`${at}.link('1', '${many.name}', [ref('${name}', '1')])`, `"${name}"`),
  ]
}

export const wrongUsesOf = (resource: UsedResource): readonly WrongUse[] => [
  ...ofFields(resource),
  ...ofQueries(resource),
  ...ofWrites(resource),
  ...(resource.one ? ofOne(resource, resource.one) : []),
  ...(resource.many ? ofMany(resource, resource.many) : []),
]
