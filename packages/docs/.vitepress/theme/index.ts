// The default theme with fonts of the system: no font files to load.

import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
