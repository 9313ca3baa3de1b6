// The entry of the checker's page.

import { render } from "preact";

import "./proof_checks.css";
import "./verify.css";
import { VerifyPage } from "./verify_page";

const root = document.getElementById("verify");
if (root !== null) render(<VerifyPage />, root);
