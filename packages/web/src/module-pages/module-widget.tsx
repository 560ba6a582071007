// Widgets that modules bring for single fields and for types of fields, in place of those of the web client.

import type { ComponentType } from 'react'
import type { WidgetType } from '../common/records/widgets/index.ts'
import type { InputProps, ValueProps, Widget } from '../common/records/widgets/widget.ts'
import type { FieldWidget } from '../kit/define-web.ts'
import { modulePages } from './module-pages.ts'
import { ModulePart } from './module-part.tsx'

const drawPart = <P extends object>(content: ComponentType<P>, props: P) => (
  <ModulePart content={content} props={props} pending={null} />
)

const toPart =
  <P extends object>(content: ComponentType<P>): ComponentType<P> =>
  props =>
    drawPart(content, props)

const made = new WeakMap<FieldWidget, Widget>()

/** One widget for each declaration: other components would lose their state with every rendering. */
const toWidget = (declared: FieldWidget, usual: Widget): Widget => {
  const { Input, Display, text } = declared
  const known = made.get(declared)
  if (known) return known
  const widget: Widget = {
    ...usual,
    ...(Input && { Input: toPart<InputProps>(Input) }),
    ...(Display && { Display: toPart<ValueProps>(Display) }),
    ...(text && { text }),
  }
  made.set(declared, widget)
  return widget
}

const ownOr = (usual: Widget, isMeant: (widget: FieldWidget) => boolean): Widget => {
  const declared = modulePages()
    .modules.flatMap(({ widgets = [] }) => widgets)
    .find(isMeant)
  return declared ? toWidget(declared, usual) : usual
}

/** The widget of a field: that of a module, or else the usual one. */
export const widgetFor = (resource: string, field: string, usual: Widget): Widget =>
  ownOr(usual, widget => 'field' in widget && widget.resource === resource && widget.field === field)

/** The widget of all fields of a type: that of a module, or else the usual one. */
export const widgetForType = (type: WidgetType, usual: Widget): Widget =>
  ownOr(usual, widget => 'type' in widget && widget.type === type)
