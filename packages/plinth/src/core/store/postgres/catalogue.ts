// The tables, columns, references and indexes of a PostgreSQL database, as its catalogue has them.

// Views and foreign tables count too: they take the name that a table of ours would need.
const relations = `
    SELECT oid, relname::text FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')`

export const columns = `SELECT t.relname, a.attname::text,
    format_type(a.atttypid, a.atttypmod)
      || CASE WHEN l.collname IS NULL OR l.collname = 'default' THEN '' ELSE ' COLLATE ' || quote_ident(l.collname) END,
    a.attnotnull::int, (a.atthasdef OR a.attidentity <> '')::int, coalesce(array_position(p.conkey, a.attnum), 0)
  FROM (${relations}) t
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_collation l ON l.oid = a.attcollation
    LEFT JOIN pg_constraint p ON p.conrelid = t.oid AND p.contype = 'p'
  ORDER BY t.relname, a.attnum`

export const references = `SELECT t.relname, a.attname::text, c.conname::text, r.relname::text,
    CASE c.confdeltype WHEN 'a' THEN 'NO ACTION' WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE'
      WHEN 'n' THEN 'SET NULL' ELSE 'SET DEFAULT' END
  FROM (${relations}) t
    JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype = 'f' AND cardinality(c.conkey) = 1
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = c.conkey[1]
    JOIN pg_class r ON r.oid = c.confrelid`

// The option 2 is ascending with absent values first. Column 0 is an expression. The indexes of primary keys and
// other constraints belong to these.
export const indexes = `SELECT t.relname, i.relname::text, x.indisunique::int,
    bool_and(x.indpred IS NULL AND k.attnum > 0 AND k.option = 2)::int,
    string_agg(coalesce(a.attname::text, ''), chr(10) ORDER BY k.place), pg_get_indexdef(i.oid), x.indisvalid::int
  FROM (${relations}) t
    JOIN pg_index x ON x.indrelid = t.oid
    JOIN pg_class i ON i.oid = x.indexrelid
    CROSS JOIN unnest(x.indkey::int2[], x.indoption::int2[]) WITH ORDINALITY k(attnum, option, place)
    LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum AND k.attnum > 0
  WHERE NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.oid AND c.contype IN ('p', 'u', 'x'))
  GROUP BY t.relname, i.oid, i.relname, x.indisunique, x.indisvalid`
