// The styles of the components that pages of modules use, beside those of Mantine: a page of a module may be the first that is opened. An
// installed package has no styles of charts beside it.

import '@mantine/charts/styles.css'
import card from './common/card.module.css'
import table from './common/simple-table.module.css'
import navigation from './common/sub-navigation.module.css'

/** A bundler leaves out what nothing refers to. */
export const kitStyles = [card, table, navigation]
