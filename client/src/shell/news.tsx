import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'

/** Where short news appear. */
const News = () => <Notifications position="bottom-right" />

export default News
