// Uses of a resource that compile, each with the exact type of its result.

import type { RightUse, UsedRelation, UsedResource } from './used-resource.ts'

const use = (code: string, type: string): RightUse => ({ code, type })

const reading = ({ name, text, number }: UsedResource): readonly RightUse[] => {
  const at = `client.${name}`
  const record = `FullRecord<Schema, '${name}'>`
  const chosen = `{ readonly pk: string; readonly ${number.name}: ${number.type}; readonly links: readonly RecordLink[] }`
  return [
    use(`await ${at}.get('1')`, record),
    use(`(await ${at}.get('1')).${text}`, 'string'),
    use(`(await ${at}.get('1')).${number.name}`, number.type),
    use(`(await ${at}.get('1')).version`, 'number'),
    use(`await ${at}.get('1', { fields: ['${number.name}'] })`, chosen),
    use(`(await ${at}.find({ fields: ['${number.name}'] })).items`, `readonly ${chosen}[]`),
    use(`(await ${at}.find()).total`, 'number | null'),
    use(`(await ${at}.find()).next`, 'string | null'),
    use(`(await ${at}.find({ where: { ${text}: { ilike: 'a*' } }, sort: '-${text}' })).items`, `readonly ${record}[]`),
    use(
      `(await ${at}.find({ where: { or: [{ ${text}: 'A' }, { ${number.name}: { ge: 1 } }] } })).items`,
      `readonly ${record}[]`,
    ),
    use(`await ${at}.first({ where: { not: { ${text}: { in: ['A'] } } } })`, `${record} | null`),
    use(`await ${at}.count({ where: { ${number.name}: { between: [1, 2] } } })`, 'number'),
    use(`await ${at}.getMany(['1'])`, `readonly ${record}[]`),
    use(`(await ${at}.aggregate({ count: true }))[0]?.count`, 'number | undefined'),
    use(`client.resource('${name}')`, `typeof ${at}`),
  ]
}

const writing = ({ name, text, create }: UsedResource): readonly RightUse[] => {
  const at = `client.${name}`
  const record = `FullRecord<Schema, '${name}'>`
  return [
    use(`await ${at}.create(${create})`, record),
    use(`await ${at}.createMany([${create}])`, `readonly ${record}[]`),
    use(`await ${at}.update('1', { ${text}: 'A' }, { ifMatch: '"1"' })`, record),
    use(`await ${at}.remove('1')`, 'void'),
    use(`await client.atomic(operations => operations.remove('${name}', '1'))`, 'readonly (AtomicResult | null)[]'),
  ]
}

const alongOne = ({ name }: UsedResource, one: UsedRelation & { readonly optional?: boolean }): readonly RightUse[] => {
  const at = `client.${name}`
  const orMissing = one.optional ? ' | undefined' : ''
  const dot = one.optional ? '?.' : '.'
  return [
    use(`(await ${at}.get('1')).${one.name}${dot}pk`, `string${orMissing}`),
    use(
      `(await ${at}.get('1', { include: ['${one.name}'] })).${one.name}${dot}${one.field.name}`,
      one.field.type + orMissing,
    ),
    use(`(await ${at}.get('1', { include: ['${one.name}'] })).${one.name}${dot}version`, `number${orMissing}`),
    use(`await ${at}.related('1', '${one.name}')`, `FullRecord<Schema, '${one.target}'> | null`),
    use(
      `(await ${at}.find({ where: { ${one.name}: { version: { gt: 1 } } }, sort: '-${one.name}.version' })).total`,
      'number | null',
    ),
    use(`(await ${at}.aggregate({ group: ['${one.name}'], count: true }))[0]?.count`, 'number | undefined'),
  ]
}

const alongMany = ({ name }: UsedResource, many: UsedRelation): readonly RightUse[] => {
  const at = `client.${name}`
  return [
    use(`(await ${at}.relatedMany('1', '${many.name}')).items`, `readonly FullRecord<Schema, '${many.target}'>[]`),
    use(
      `(await ${at}.get('1', { include: ['${many.name}'] })).${many.name}[0]?.${many.field.name}`,
      `${many.field.type} | undefined`,
    ),
    use(`await ${at}.count({ where: { ${many.name}: { version: 1 } } })`, 'number'),
    use(`await ${at}.link('1', '${many.name}', [ref('${many.target}', '1')])`, 'void'),
  ]
}

export const rightUsesOf = (resource: UsedResource): readonly RightUse[] => [
  ...reading(resource),
  ...writing(resource),
  ...(resource.one ? alongOne(resource, resource.one) : []),
  ...(resource.many ? alongMany(resource, resource.many) : []),
]
