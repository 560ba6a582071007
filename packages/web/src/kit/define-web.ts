// What a module adds to the web client, as data. The web client reads it when it starts: pages should arrive when they are opened, so
// give them as `lazy(() => import('./overdue-page.tsx'))`.

import type { ComponentType } from 'react'
import type { WidgetType } from '../common/records/widgets/index.ts'
import type { InputProps, ValueProps } from '../common/records/widgets/widget.ts'
import type { PageTitle } from '../i18n/title.ts'

export type { PageTitle } from '../i18n/title.ts'

/** An icon: it gets its size in pixels. The icons of `@tabler/icons-react` are such components. */
export type AreaIcon = ComponentType<{ readonly size?: number | string }>

interface Restricted {
  /** A rule about the caller, such as `caller.has('ROLE_STAFF')`. It hides what a user cannot use; the service checks again. */
  readonly access?: string
}

/** A page of an area. */
export interface AreaPage extends Restricted {
  /** The path below that of the area; empty for the first page. It may have parts such as `:pk`. */
  readonly path: string
  readonly title: PageTitle
  readonly page: ComponentType
  /** Says that the page has no link in the navigation of the area, such as that of one record. */
  readonly isHidden?: boolean
}

/** An entry of the navigation with its pages. */
export interface Area extends Restricted {
  /** The first part of its addresses below `/client`, such as `overdue`. */
  readonly path: string
  readonly title: PageTitle
  /** One sentence for the start page. */
  readonly about?: PageTitle
  readonly icon?: AreaIcon
  /**
   * Where it stands in the navigation: `service` after the others, for what is about the service itself; `user` last, and in the menu of the
   * user, for what is about the user.
   */
  readonly place?: 'service' | 'user'
  /** Says that the area exists only while the service publishes endpoints of the module, which may depend on settings. */
  readonly needsEndpoints?: boolean
  /** One component for all addresses of the area. */
  readonly page?: ComponentType
  /** The pages of an area with navigation of its own, in place of `page`. */
  readonly pages?: readonly AreaPage[]
}

/** A figure, a list or a chart on the start page. */
export interface Card extends Restricted {
  /** The name, unique in the module. */
  readonly name: string
  readonly title: PageTitle
  /** The page to which its title leads, such as `/overdue`. */
  readonly to?: string
  readonly content: ComponentType
  /** Says that it takes the width of two cards. */
  readonly isWide?: boolean
}

interface WidgetParts {
  /** The input in forms. */
  readonly Input?: ComponentType<InputProps>
  /** The value on the page of a record. */
  readonly Display?: ComponentType<ValueProps>
  /** The value in one line, for lists. Never called with null or an empty text. */
  readonly text?: (value: unknown) => string
}

interface WidgetOfField extends WidgetParts {
  readonly resource: string
  readonly field: string
}

interface WidgetOfType extends WidgetParts {
  /** The type of the fields, as `widget` of the UI schema names it. */
  readonly type: WidgetType
}

/** How values of one field, or of all fields of a type, are shown and entered, in place of the widget of the web client. */
export type FieldWidget = WidgetOfField | WidgetOfType

/** A record as the service shows it to the user. */
export interface RecordData {
  readonly pk: string
  readonly [field: string]: unknown
}

/** What a tab of a record gets. */
export interface RecordTabProps {
  readonly record: RecordData
}

/** A tab on the page of a record. */
export interface RecordTab extends Restricted {
  readonly resource: string
  /** The name in the address, unique for the resource. */
  readonly name: string
  readonly title: PageTitle
  readonly content: ComponentType<RecordTabProps>
}

interface Action extends Restricted {
  readonly resource: string
  readonly title: PageTitle
  readonly icon?: AreaIcon
}

/** What an action can do besides calling the service. */
export interface ActionContext {
  /** Shows a sentence in a corner of the page. */
  readonly notify: (message: string) => void
  /** Opens a page of the web client, such as `/overdue`. */
  readonly open: (path: string) => void
}

/** A button on the page of a record that runs code in the browser. For a call of the service, declare an endpoint instead. */
export interface RecordAction extends Action {
  /** Is the action possible for this record? It is unless given. */
  readonly isPossible?: (record: RecordData) => boolean
  readonly run: (record: RecordData, context: ActionContext) => Promise<void> | void
}

/** A button above a list that runs code in the browser. For a call of the service, declare an endpoint instead. */
export interface ListAction extends Action {
  readonly run: (context: ActionContext) => Promise<void> | void
}

/** What a module adds to the web client. */
export interface Web {
  readonly areas?: readonly Area[]
  readonly cards?: readonly Card[]
  readonly widgets?: readonly FieldWidget[]
  readonly recordTabs?: readonly RecordTab[]
  readonly recordActions?: readonly RecordAction[]
  readonly listActions?: readonly ListAction[]
}

/**
 * Declares what a module adds to the web client. Export it as the default of the file that `web` of `defineModule` names.
 *
 * @example
 * export default defineWeb({ areas: [overdueArea], cards: [overdueCard] })
 */
export const defineWeb = (web: Web): Web => web

/**
 * Declares pages with an entry in the navigation.
 *
 * @example
 * const overdueArea = defineArea({
 *   path: 'overdue',
 *   title: { en: 'Overdue', de: 'Überfällig' },
 *   access: "caller.has('ROLE_STAFF')",
 *   page: lazy(() => import('./overdue-page.tsx')),
 * })
 */
export const defineArea = (area: Area): Area => area

/**
 * Declares a card on the start page.
 *
 * @example
 * const overdueCard = defineCard({ name: 'overdue', title: 'Overdue', to: '/overdue', content: OverdueCount })
 */
export const defineCard = (card: Card): Card => card

/**
 * Declares how one field is shown and entered, or all fields of a type that have no widget of their own.
 *
 * @example
 * const stars = defineWidget({ resource: 'reviews', field: 'stars', Display: Stars, Input: StarsInput })
 * const places = defineWidget({ type: 'geo', Display: SmallMap })
 */
export const defineWidget = (widget: FieldWidget): FieldWidget => widget

/**
 * Declares a tab on the page of a record.
 *
 * @example
 * const map = defineRecordTab({ resource: 'shops', name: 'map', title: 'Map', content: ShopMap })
 */
export const defineRecordTab = (tab: RecordTab): RecordTab => tab

/**
 * Declares a button on the page of a record.
 *
 * @example
 * const print = defineRecordAction({ resource: 'invoices', title: 'Print', run: () => window.print() })
 */
export const defineRecordAction = (action: RecordAction): RecordAction => action

/**
 * Declares a button above a list.
 *
 * @example
 * const board = defineListAction({ resource: 'tickets', title: 'Board', run: ({ open }) => open('/board') })
 */
export const defineListAction = (action: ListAction): ListAction => action
