// All sheets, in the order of the list.

import { buttons } from './sheets/buttons.tsx'
import { charts } from './sheets/charts.tsx'
import { forms } from './sheets/forms.tsx'
import { inputs } from './sheets/inputs.tsx'
import { lists } from './sheets/lists.tsx'
import { moments } from './sheets/moments.tsx'
import { opened } from './sheets/opened.tsx'
import { pages } from './sheets/pages.tsx'
import { problems } from './sheets/problems.tsx'
import { selection } from './sheets/selection.tsx'
import { tables } from './sheets/tables.tsx'
import { widgetSheet } from './sheets/widgets.tsx'

export const sheets = [
  ...[pages, moments, problems, buttons, tables, lists, selection, charts, forms, inputs, widgetSheet],
  opened,
]
