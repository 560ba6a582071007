// Changes of models, with the records before and after them.

import type { ResourceDefinition } from '../../src/core/model/define.ts'
import { boolean, date, integer, links, map, ref, text, textList, timestamp } from '../../src/core/model/fields.ts'
import { resource } from './migrate-databases.ts'

export interface ModelChange {
  readonly change: string
  readonly before: readonly ResourceDefinition[]
  readonly rows?: string
  readonly after: readonly ResourceDefinition[]
  /** A query on the changed database, and what it finds. */
  readonly finds: readonly [query: string, rows: readonly (readonly unknown[])[]]
  readonly accepts?: readonly string[]
  readonly rejects?: readonly string[]
}

export const actors = resource('actors', { name: text() })
const twoActors = `INSERT INTO "actors" ("pk", "name", "version") VALUES ('a', 'Ann', 0), ('b', 'Bea', 0);`
export const films = (fields: Parameters<typeof resource>[1], options: Parameters<typeof resource>[2] = {}) =>
  resource('films', fields, options)
export const twoFilms = `INSERT INTO "films" ("pk", "title", "version") VALUES ('1', 'Alien', 0), ('2', 'Brazil', 3);`
const starring = `${twoActors} INSERT INTO "films" ("pk", "star", "version") VALUES ('1', 'a', 0), ('2', 'b', 0);`

export const changes: readonly ModelChange[] = [
  {
    change: 'a new optional field is empty in the records that exist',
    before: [films({ title: text() })],
    rows: twoFilms,
    after: [films({ title: text(), year: integer({ indexed: true }) })],
    finds: [
      'SELECT "pk", "title", "year", "version" FROM "films" ORDER BY 1',
      [
        ['1', 'Alien', null, 0],
        ['2', 'Brazil', null, 3],
      ],
    ],
  },
  {
    change: 'a new required field takes its default in the records that exist',
    before: [films({ title: text() })],
    rows: twoFilms,
    after: [films({ title: text(), rating: text({ required: true, default: "it's open" }) })],
    finds: [
      'SELECT "title", "rating" FROM "films" ORDER BY 1',
      [
        ['Alien', "it's open"],
        ['Brazil', "it's open"],
      ],
    ],
    rejects: [`INSERT INTO "films" ("pk", "rating", "version") VALUES ('3', NULL, 0)`],
  },
  {
    change: 'a new optional field with a default takes it as well',
    before: [films({ title: text() })],
    rows: twoFilms,
    after: [films({ title: text(), stock: integer({ default: -1 }), day: date({ default: '2024-02-29' }) })],
    finds: [
      'SELECT "stock", CAST("day" AS text) FROM "films"',
      [
        [-1, '2024-02-29'],
        [-1, '2024-02-29'],
      ],
    ],
  },
  {
    change: 'defaults that are truths, lists and maps are written as the store would',
    before: [films({ title: text() })],
    rows: twoFilms,
    after: [
      films({
        title: text(),
        open: boolean({ required: true, default: true }),
        tags: textList({ required: true, default: ["o'ne"] }),
        more: map({ default: {} }),
      }),
    ],
    finds: [
      `SELECT CASE WHEN "open" THEN 'open' END, CAST("tags" AS text), CAST("more" AS text) FROM "films" LIMIT 1`,
      [['open', `["o'ne"]`, '{}']],
    ],
  },
  {
    change: 'a new required field needs no default while there are no records',
    before: [actors, films({})],
    after: [actors, films({ title: text({ required: true }), star: ref('actors', { required: true }) })],
    finds: ['SELECT count(*) FROM "films"', [[0]]],
    rejects: [`INSERT INTO "films" ("pk", "version", "star") VALUES ('1', 0, '1')`],
  },
  {
    change: 'a new required reference takes its default',
    before: [actors, films({ title: text() })],
    rows: `${twoActors} ${twoFilms}`,
    after: [actors, films({ title: text(), star: ref('actors', { required: true, default: 'b' }) })],
    finds: [
      'SELECT "title", "star" FROM "films" ORDER BY 1',
      [
        ['Alien', 'b'],
        ['Brazil', 'b'],
      ],
    ],
    rejects: [`UPDATE "films" SET "star" = 'missing'`, `UPDATE "films" SET "star" = NULL`, `DELETE FROM "actors"`],
  },
  {
    change: 'stamps that are switched on begin now',
    before: [films({ title: text() })],
    rows: twoFilms,
    after: [films({ title: text() }, { stamps: 'dates' })],
    finds: [
      'SELECT count(*) FROM "films" WHERE substr(CAST("createdDate" AS text), 1, 2) = \'20\' AND "lastModifiedDate" IS NOT NULL',
      [[2]],
    ],
    rejects: [`INSERT INTO "films" ("pk", "version") VALUES ('3', 0)`],
  },
  {
    change: 'a field that is no longer required may be left out',
    before: [films({ title: text({ required: true, indexed: true }) })],
    rows: twoFilms,
    after: [films({ title: text({ indexed: true }) })],
    finds: ['SELECT "title" FROM "films" ORDER BY 1', [['Alien'], ['Brazil']]],
    accepts: [`INSERT INTO "films" ("pk", "version") VALUES ('3', 0)`],
  },
  {
    change: 'a field that becomes required may no longer be left out',
    before: [films({ title: text() })],
    rows: twoFilms,
    after: [films({ title: text({ required: true }) })],
    finds: ['SELECT "title" FROM "films" ORDER BY 1', [['Alien'], ['Brazil']]],
    rejects: [`INSERT INTO "films" ("pk", "version") VALUES ('3', 0)`],
  },
  {
    change: 'a field that says what it was called keeps its values',
    before: [films({ title: text({ indexed: true, unique: true }) })],
    rows: twoFilms,
    after: [films({ name: text({ indexed: true, unique: true, required: true, renamedFrom: 'title' }) })],
    finds: ['SELECT "name" FROM "films" ORDER BY 1', [['Alien'], ['Brazil']]],
    rejects: [`INSERT INTO "films" ("pk", "name", "version") VALUES ('3', 'Alien', 0)`, 'SELECT "title" FROM "films"'],
  },
  {
    change: 'a former name that another field still has is not taken away from it',
    before: [films({ title: text() })],
    rows: twoFilms,
    after: [films({ title: text(), name: text({ renamedFrom: 'title' }) })],
    finds: [
      'SELECT "title", "name" FROM "films" ORDER BY 1',
      [
        ['Alien', null],
        ['Brazil', null],
      ],
    ],
  },
  {
    change: 'a field that becomes unique without regard to case has its records folded',
    before: [films({ title: text() })],
    rows: `INSERT INTO "films" ("pk", "title", "version") VALUES ('1', 'ΟΔΟΣ É', 0), ('2', 'ﬁn', 0), ('3', NULL, 0);`,
    after: [films({ title: text({ unique: 'ignoreCase' }) })],
    finds: [
      'SELECT "pk", "title_folded" FROM "films" ORDER BY 1',
      [
        ['1', 'οδοσ é'],
        ['2', 'fin'],
        ['3', null],
      ],
    ],
    rejects: [`INSERT INTO "films" ("pk", "title_folded", "version") VALUES ('4', 'fin', 0)`],
  },
  {
    change: 'a folded field that is renamed takes its folded text along',
    before: [films({ title: text({ unique: 'ignoreCase' }) })],
    rows: `INSERT INTO "films" ("pk", "title", "title_folded", "version") VALUES ('1', 'Alien', 'alien', 0);`,
    after: [films({ name: text({ unique: 'ignoreCase', renamedFrom: 'title' }) })],
    finds: ['SELECT "name", "name_folded" FROM "films"', [['Alien', 'alien']]],
    rejects: [
      `INSERT INTO "films" ("pk", "name_folded", "version") VALUES ('2', 'alien', 0)`,
      'SELECT "title_folded" FROM "films"',
    ],
  },
  {
    change: 'a field that is no longer unique lets values repeat',
    before: [films({ title: text({ unique: true }) })],
    rows: twoFilms,
    after: [films({ title: text() })],
    finds: ['SELECT count(*) FROM "films"', [[2]]],
    accepts: [`INSERT INTO "films" ("pk", "title", "version") VALUES ('3', 'Alien', 0)`],
  },
  {
    change: 'fields that become unique together may each repeat alone',
    before: [films({ title: text(), year: integer() })],
    rows: `INSERT INTO "films" ("pk", "title", "year", "version") VALUES ('1', 'Alien', 1979, 0), ('2', 'Alien', 1980, 0);`,
    after: [films({ title: text(), year: integer() }, { uniqueTogether: [['title', 'year']] })],
    finds: ['SELECT count(*) FROM "films"', [[2]]],
    accepts: [`INSERT INTO "films" ("pk", "title", "year", "version") VALUES ('3', 'Brazil', 1979, 0)`],
    rejects: [`INSERT INTO "films" ("pk", "title", "year", "version") VALUES ('4', 'Alien', 1979, 0)`],
  },
  {
    change: 'a reference that begins to cascade keeps its records until then',
    before: [actors, films({ star: ref('actors', { required: true }), title: text() })],
    rows: starring,
    after: [actors, films({ star: ref('actors', { required: true, onDelete: 'cascade' }), title: text() })],
    finds: [
      'SELECT "pk", "star" FROM "films" ORDER BY 1',
      [
        ['1', 'a'],
        ['2', 'b'],
      ],
    ],
    rejects: [`UPDATE "films" SET "star" = NULL`, `UPDATE "films" SET "star" = 'missing'`],
    accepts: [`DELETE FROM "actors"`],
  },
  {
    change: 'a reference that stops cascading holds its record',
    before: [actors, films({ star: ref('actors', { onDelete: 'cascade' }) })],
    rows: starring,
    after: [actors, films({ star: ref('actors') })],
    finds: [
      'SELECT "pk", "star" FROM "films" ORDER BY 1',
      [
        ['1', 'a'],
        ['2', 'b'],
      ],
    ],
    rejects: [`DELETE FROM "actors"`],
  },
  {
    change: 'a table that others refer to with a cascade loses none of them when its own reference changes',
    before: [
      actors,
      films({ star: ref('actors') }),
      resource('copies', { film: ref('films', { onDelete: 'cascade' }) }),
    ],
    rows: `${starring} INSERT INTO "copies" ("pk", "film", "version") VALUES ('c', '1', 0);`,
    after: [
      actors,
      films({ star: ref('actors', { onDelete: 'clear' }) }),
      resource('copies', { film: ref('films', { onDelete: 'cascade' }) }),
    ],
    finds: ['SELECT "pk", "film" FROM "copies"', [['c', '1']]],
    accepts: [`DELETE FROM "actors"`],
  },
  {
    change: 'a text that becomes a reference is held to it',
    before: [actors, films({ star: text() })],
    rows: starring,
    after: [actors, films({ star: ref('actors') })],
    finds: [
      'SELECT "pk", "star" FROM "films" ORDER BY 1',
      [
        ['1', 'a'],
        ['2', 'b'],
      ],
    ],
    rejects: [`UPDATE "films" SET "star" = 'missing'`],
  },
  {
    change: 'a reference that becomes a text is free',
    before: [actors, films({ star: ref('actors') })],
    rows: starring,
    after: [actors, films({ star: text() })],
    finds: [
      'SELECT "pk", "star" FROM "films" ORDER BY 1',
      [
        ['1', 'a'],
        ['2', 'b'],
      ],
    ],
    accepts: [`UPDATE "films" SET "star" = 'missing'`, `DELETE FROM "actors"`],
  },
  {
    change: 'a reference is renamed and changed at once',
    before: [actors, films({ star: ref('actors', { required: true }) })],
    rows: starring,
    after: [actors, films({ lead: ref('actors', { onDelete: 'clear', renamedFrom: 'star' }) })],
    finds: [
      'SELECT "pk", "lead" FROM "films" ORDER BY 1',
      [
        ['1', 'a'],
        ['2', 'b'],
      ],
    ],
    accepts: [`DELETE FROM "actors"`, `INSERT INTO "films" ("pk", "version") VALUES ('3', 0)`],
  },
  {
    change: 'links that are renamed keep their pairs',
    before: [actors, films({ title: text(), cast: links('actors') })],
    rows: `${twoActors} ${twoFilms} INSERT INTO "films_cast" VALUES ('1', 'a'), ('2', 'a');`,
    after: [actors, films({ title: text(), people: links('actors', { renamedFrom: 'cast' }) })],
    finds: [
      'SELECT "owner", "target" FROM "films_people" ORDER BY 1',
      [
        ['1', 'a'],
        ['2', 'a'],
      ],
    ],
    rejects: [`INSERT INTO "films_people" VALUES ('1', 'missing')`, `SELECT * FROM "films_cast"`],
    accepts: [`DELETE FROM "actors"`],
  },
  {
    change: 'a resource that is renamed keeps its records, links, and the references to it',
    before: [
      actors,
      films({ title: text({ unique: true }), cast: links('actors'), sequelOf: ref('films') }),
      resource('copies', { film: ref('films') }),
    ],
    rows: `${twoActors} ${twoFilms} INSERT INTO "films_cast" VALUES ('1', 'a');
      INSERT INTO "copies" ("pk", "film", "version") VALUES ('c', '2', 0); UPDATE "films" SET "sequelOf" = '1' WHERE "pk" = '2';`,
    after: [
      actors,
      resource(
        'movies',
        { title: text({ unique: true }), people: links('actors', { renamedFrom: 'cast' }), sequelOf: ref('movies') },
        { renamedFrom: 'films' },
      ),
      resource('copies', { film: ref('movies') }),
      resource('reviews', { movie: ref('movies') }),
    ],
    finds: [
      'SELECT m."title", c."pk", (SELECT count(*) FROM "movies_people") FROM "movies" m LEFT JOIN "copies" c ON c."film" = m."pk" ORDER BY 1',
      [
        ['Alien', null, 1],
        ['Brazil', 'c', 1],
      ],
    ],
    accepts: [`INSERT INTO "reviews" ("pk", "movie", "version") VALUES ('r', '1', 0)`],
    rejects: [
      `SELECT * FROM "films"`,
      `INSERT INTO "copies" ("pk", "film", "version") VALUES ('d', 'nothing', 0)`,
      `INSERT INTO "movies" ("pk", "title", "version") VALUES ('3', 'Alien', 0)`,
      `DELETE FROM "movies" WHERE "pk" = '1'`,
    ],
  },
  {
    change: 'a required field that is gone from the model keeps its values and asks for none',
    before: [films({ title: text({ required: true }), made: timestamp({ required: true }) })],
    rows: `INSERT INTO "films" ("pk", "title", "made", "version") VALUES ('1', 'Alien', '1979-05-25T00:00:00.000Z', 0);`,
    after: [films({ made: timestamp({ required: true }) })],
    finds: ['SELECT "title" FROM "films"', [['Alien']]],
    accepts: [`INSERT INTO "films" ("pk", "made", "version") VALUES ('2', '1979-05-25T00:00:00.000Z', 0)`],
  },
]
