// Former names on PostgreSQL: a column that a trigger keeps equal, and a view in place of a table. Comments mark both.

import type { FormerName, FormerNames } from '../migrate/schema-dialect.ts'
import { quote, shortened, textOf } from '../sql/columns.ts'

const mark = 'plinth: the former name of '

const query = `SELECT CASE WHEN d.objsubid = 0 THEN substr(d.description, ${mark.length + 1}) ELSE t.relname::text END,
    CASE WHEN d.objsubid = 0 THEN NULL ELSE substr(d.description, ${mark.length + 1}) END,
    coalesce(a.attname, t.relname)::text
  FROM pg_description d
    JOIN pg_class t ON t.oid = d.objoid AND t.relnamespace = current_schema()::regnamespace
    LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.objsubid AND d.objsubid > 0
  WHERE d.classoid = 'pg_class'::regclass AND d.description LIKE '${mark}%'`

const triggerName = ({ table, former }: FormerName): string => quote(shortened(`plinth_m_${table}__${former}`))

// Only instances of the earlier model write the former column, which has no default.
const mirror = (present: string, former: string): string => `BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.${former} IS NULL THEN NEW.${former} := NEW.${present}; ELSE NEW.${present} := NEW.${former}; END IF;
  ELSIF NEW.${present} IS DISTINCT FROM OLD.${present} THEN NEW.${former} := NEW.${present};
  ELSE NEW.${present} := NEW.${former};
  END IF;
  RETURN NEW;
END`

export const postgresFormerNames: FormerNames = {
  query,
  keepColumn: (name, type) => {
    const [table, present, former] = [quote(name.table), quote(name.column), quote(name.former)]
    return [
      `ALTER TABLE ${table} ADD COLUMN ${former} ${type};`,
      `UPDATE ${table} SET ${former} = ${present};`,
      `COMMENT ON COLUMN ${table}.${former} IS ${textOf(mark + name.column)};`,
      `CREATE FUNCTION ${triggerName(name)}() RETURNS trigger LANGUAGE plpgsql AS $$ ${mirror(present, former)} $$;`,
      `CREATE TRIGGER ${triggerName(name)} BEFORE INSERT OR UPDATE ON ${table}`,
      `  FOR EACH ROW EXECUTE FUNCTION ${triggerName(name)}();`,
    ].join('\n')
  },
  keepTable: ({ table, former }) =>
    [
      `CREATE VIEW ${quote(former)} AS SELECT * FROM ${quote(table)};`,
      `COMMENT ON VIEW ${quote(former)} IS ${textOf(mark + table)};`,
    ].join('\n'),
  drop: name =>
    name.column === null
      ? `DROP VIEW ${quote(name.former)};`
      : [
          `DROP TRIGGER ${triggerName(name)} ON ${quote(name.table)};`,
          `DROP FUNCTION ${triggerName(name)}();`,
          `ALTER TABLE ${quote(name.table)} DROP COLUMN ${quote(name.former)};`,
        ].join('\n'),
}
