// The styles of every component.

import '@mantine/core/styles.layer.css'
