// The tables, columns, references and indexes of a SQLite database: its schema table, and the pragmas that act as tables.

import { indexPrefixes } from '../sql/columns.ts'

// SQLite cannot say what columns a view has whose tables have changed, so views have one without a name.
export const columns = `SELECT t.name, c.name, upper(c.type), c."notnull", c.dflt_value IS NOT NULL OR c.hidden > 0, c.pk, c.cid
  FROM sqlite_schema t, pragma_table_xinfo(t.name) c
  WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*' AND c.hidden <> 1
  UNION ALL SELECT v.name, '', '', 0, 0, 0, 0 FROM sqlite_schema v WHERE v.type = 'view'
  ORDER BY 1, 7`

export const references = `SELECT t.name, k."from", NULL, k."table", k.on_delete
  FROM sqlite_schema t, pragma_foreign_key_list(t.name) k
  WHERE t.type = 'table'`

// An index on trigrams is a table of its own, which triggers of the indexed one keep current.
// An index without SQL stands for a constraint and belongs to its table. A negative column is an expression.
export const indexes = `SELECT t.name, l.name, l."unique",
    l.partial = 0 AND min(c.cid >= 0 AND c."desc" = 0 AND c.coll = 'BINARY'),
    group_concat(coalesce(c.name, ''), char(10) ORDER BY c.seqno),
    (SELECT i.sql FROM sqlite_schema i WHERE i.type = 'index' AND i.name = l.name), 1
  FROM sqlite_schema t, pragma_index_list(t.name) l, pragma_index_xinfo(l.name) c
  WHERE t.type = 'table' AND l.origin = 'c' AND c.key = 1
  GROUP BY t.name, l.name, l."unique", l.partial
  UNION ALL SELECT g.tbl_name, substr(g.name, 1, length(g.name) - length('_insert')), 0, 0, '', g.sql, 1
  FROM sqlite_schema g WHERE g.type = 'trigger' AND g.name GLOB '${indexPrefixes.trigrams}*_insert'`
