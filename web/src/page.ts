import "./page.css";
