import { expect, test } from 'vitest'
import { html } from './html.ts'

test('values are escaped, and HTML in HTML is not escaped twice', () => {
  const bold = html`<b>${'<i>&"\''}</b>`
  expect(html`<p title="${'"x"'}">${bold} ${3} ${null}${undefined}${false}</p>`.text).toBe(
    '<p title="&quot;x&quot;"><b>&lt;i&gt;&amp;&quot;&#39;</b> 3 </p>',
  )
})

test('lists are put together', () => {
  expect(html`<ul>${['a', '<'].map(one => html`<li>${one}</li>`)}</ul>`.text).toBe('<ul><li>a</li><li>&lt;</li></ul>')
})
